// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Temporary files and environment of a test.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace sheaf::testing {

/// A new folder below TMPDIR, removed with everything in it at the end.
class Scratch {
public:
    Scratch();
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    [[nodiscard]] const std::string& folder() const { return folder_; }
    [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
    /// Writes a file and returns its path.
    [[nodiscard]] std::string file(const std::string& name, const std::string& text) const;

private:
    std::string folder_;
};

/// The bytes of a file, without the code under test; empty when there is none.
[[nodiscard]] std::vector<std::byte> contents(const std::string& path);
[[nodiscard]] bool exists(const std::string& path);

/// Sets an environment variable (or unsets it, without a value) until the end of the scope. Only
/// while no rank runs.
class ScopedEnvironment {
public:
    ScopedEnvironment(std::string name, const char* value);
    ~ScopedEnvironment();
    ScopedEnvironment(const ScopedEnvironment&) = delete;
    ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

private:
    std::string name_;
    bool was_set_ = false;
    std::string before_;
};

}  // namespace sheaf::testing
