// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// HintSet: the hints in force for one open file, and what became of each that was given.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/types.h"
#include "hints/table.h"

namespace sheaf::hints {

/// What became of a hint that somebody gave.
enum class Fate : std::uint8_t { used, rejected, unknown, too_late, overruled };

struct Report {
    std::string name;
    std::string value;
    std::string source;  // "info", or the hint file's path.
    Fate fate;
    std::string reason;  // Empty for used.
};

/// One name and value as given.
struct Given {
    std::string name;
    std::string value;
};

/// Values of all hints: defaults first, then whatever set() accepted. A bad value is reported and
/// the value before it stays in force. Thread-compatible.
class HintSet {
public:
    HintSet();

    /// Takes hints of one source, weakest source first. `since` is the moment: at_open, or later
    /// (set_view, set_info), when hints that cannot change any more are reported as too late.
    void set(const std::vector<Given>& given, std::string_view source, Changes since);

    /// As set(), at the open; what is accepted here stays, whatever other sources say later.
    void force(const std::vector<Given>& given, std::string_view source);

    /// Reports a source that could not be read.
    void reject_source(std::string source, std::string reason);

    /// The value of the hint with this canonical name, as its kind. Requires: the name is in the
    /// table and of that kind.
    [[nodiscard]] std::string word(std::string_view name) const;
    [[nodiscard]] std::int64_t number(std::string_view name) const;
    [[nodiscard]] bool enabled(std::string_view name) const;
    /// For Kind::switched: -1 disable, 0 automatic, 1 enable.
    [[nodiscard]] int switched(std::string_view name) const;

    /// Name and value of every hint in force.
    [[nodiscard]] const std::map<std::string, std::string, std::less<>>& values() const {
        return values_;
    }
    [[nodiscard]] const std::vector<Report>& reports() const { return reports_; }

    /// One 64-bit number for all values: equal on ranks with equal hints.
    [[nodiscard]] std::uint64_t fingerprint() const;
    /// All values as text, and back: how rank 0's hints become everybody's.
    [[nodiscard]] std::string encode() const;
    void decode(std::string_view encoded);

private:
    std::map<std::string, std::string, std::less<>> values_;
    std::set<std::string, std::less<>> forced_;
    std::vector<Report> reports_;
};

/// The value in canonical form ("4m" -> "4194304", "yes" -> "true"), or why it is not accepted.
Result<std::string> normalise(const HintRow& row, std::string_view value);

/// Reads a hint file: lines `key value`, `#` comments. Fails when the file cannot be read or a line
/// has no value, naming the line.
Result<std::vector<Given>> read_hint_file(const std::string& path);

/// The name of a fate ("too late").
[[nodiscard]] std::string_view name_of(Fate fate);

}  // namespace sheaf::hints
