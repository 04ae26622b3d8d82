// SPDX-License-Identifier: BSD-3-Clause
#include "platform/environment.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/assert.h"

namespace sheaf::platform {

namespace {

constexpr std::array kTable{
    EnvironmentVariable{"SHEAF_OFF", "1", "Hands every call to the MPI library's own I/O."},
    EnvironmentVariable{"SHEAF_HINTS", "path of a hint file", "Hints below those of MPI_Info."},
    EnvironmentVariable{"SHEAF_HINTS_FORCE", "path of a hint file", "Hints above all others."},
    EnvironmentVariable{"SHEAF_VERBOSE", "1", "Rank 0 says which components serve each file."},
    EnvironmentVariable{"SHEAF_TRACE", "ring", "Keeps the last events of each rank in a file."},
    EnvironmentVariable{"SHEAF_TRACE_DIR", "directory", "Where trace files go."},
    EnvironmentVariable{"SHEAF_FAULT", "CALL:ERRNO@rank=R,nth=N",
                        "Makes the storage call CALL (size, resize, preallocate, sync, close, "
                        "read, write) fail on rank R at its Nth use."},
    EnvironmentVariable{"SHEAF_YIELD", "1",
                        "Yields the core while MPICH waits (many ranks, few cores)."},
    EnvironmentVariable{"SHEAF_REQUIRE", "1", "Set by `sheaf exec --require`."},
};

constexpr std::string_view kPrefix = "SHEAF_";

bool privileges_were_raised() {
    static const bool raised = getauxval(AT_SECURE) != 0;
    return raised;
}

bool in_table(std::string_view name) {
    return std::ranges::any_of(kTable, [&](const auto& row) { return row.name == name; });
}

}  // namespace

std::span<const EnvironmentVariable> environment_table() {
    return kTable;
}

std::optional<std::string> environment(std::string_view name) {
    SHEAF_ASSERT(!name.starts_with(kPrefix) || in_table(name));
    if (name.starts_with(kPrefix) && privileges_were_raised()) return std::nullopt;
    const char* value = std::getenv(std::string(name).c_str());
    if (value == nullptr) return std::nullopt;
    return std::string(value);
}

std::vector<std::string> unknown_environment() {
    std::vector<std::string> unknown;
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view line = *entry;
        const std::string_view name = line.substr(0, line.find('='));
        if (name.starts_with(kPrefix) && !in_table(name)) unknown.emplace_back(name);
    }
    std::ranges::sort(unknown);
    return unknown;
}

}  // namespace sheaf::platform
