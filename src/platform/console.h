// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Words for the user, on standard error. Only when asked for, or when something is lost otherwise.

#include <string_view>

namespace sheaf::platform {

/// Writes each line of `text` with "sheaf: " in front, at once, so that lines of several ranks do
/// not mix. Thread-safe.
void say(std::string_view text) noexcept;

}  // namespace sheaf::platform
