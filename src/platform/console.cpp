// SPDX-License-Identifier: BSD-3-Clause
#include "platform/console.h"

#include <unistd.h>

#include <string>

namespace sheaf::platform {

void say(std::string_view text) noexcept {
    std::string lines;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        lines.append("sheaf: ").append(line).append("\n");
        text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
    }
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, lines.data(), lines.size());
}

}  // namespace sheaf::platform
