// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The hints: one table, from which parsing, MPI_File_get_info, `sheaf info --hints` and the guide
/// are made.

#include <cstdint>
#include <span>
#include <string_view>

namespace sheaf::hints {

/// What a value may look like.
enum class Kind : std::uint8_t {
    boolean,   // true/false, enable/disable, yes/no, on/off, 1/0.
    switched,  // enable, disable, automatic.
    bytes,     // Positive integer, with an optional suffix k, m or g (powers of 1024).
    count,     // Positive integer.
    word,      // Any text of up to 255 characters.
};

/// When a hint may still be changed after the open.
enum class Changes : std::uint8_t { at_open, at_set_view, any_time };

struct HintRow {
    std::string_view name;                      // Canonical; at most 31 characters.
    std::span<const std::string_view> aliases;  // Names of ROMIO, OMPIO, IBM, Cray, PnetCDF.
    Kind kind;
    std::string_view fallback;  // The default, in the form a user would write it.
    Changes changes;
    std::string_view doc;
};

/// Every hint that Sheaf understands.
[[nodiscard]] std::span<const HintRow> hint_table();

/// The row whose name or alias is `name`; null when there is none.
[[nodiscard]] const HintRow* find_hint(std::string_view name);

}  // namespace sheaf::hints
