// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Can a preloaded library reach a program at all?

#include <optional>
#include <string>

namespace sheaf::tool {

/// Why no preloaded library enters `command`, found along PATH as execvp() would; a phrase that
/// follows its name ("is statically linked, ..."). Empty when one does, for scripts that start with
/// "#!", and when the command cannot be found or read: running it tells.
[[nodiscard]] std::optional<std::string> obstacle_to_preload(const char* command);

}  // namespace sheaf::tool
