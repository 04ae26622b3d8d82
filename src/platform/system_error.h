// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// From errno to Status. Nothing outside platform/ looks at errno.

#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace sheaf::platform {

/// A failed Status for `error` (an errno value), whose text is `what` and the system's words:
/// "write [0, 4096) of /a/b: No space left on device (ENOSPC)".
[[nodiscard]] Status system_failure(int error, std::string_view what);

/// The errno of the calling thread.
[[nodiscard]] int last_system_error();

/// The symbol of an errno value ("ENOSPC"), or its number in words where it has none.
[[nodiscard]] std::string system_error_name(int error);

/// The errno value of a symbol; empty for names the system does not know.
[[nodiscard]] std::optional<int> system_error_value(std::string_view name);

}  // namespace sheaf::platform
