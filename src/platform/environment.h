// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The environment variables that Sheaf reads: one table, from which reading, the warning about
/// unknown names and the guide's reference are made.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::platform {

struct EnvironmentVariable {
    std::string_view name;
    std::string_view accepted;  // What its value may be, in words.
    std::string_view effect;    // One line for the guide.
};

/// Every SHEAF_* variable there is.
[[nodiscard]] std::span<const EnvironmentVariable> environment_table();

/// The value of `name`, which stands in the table or is another library's; empty optional when
/// unset, and always for SHEAF_* names in a process that runs with raised privileges (AT_SECURE).
/// Thread-safe as long as nobody changes the environment.
[[nodiscard]] std::optional<std::string> environment(std::string_view name);

/// Names in the environment that start with SHEAF_ and stand in no table.
[[nodiscard]] std::vector<std::string> unknown_environment();

}  // namespace sheaf::platform
