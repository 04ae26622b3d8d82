// SPDX-License-Identifier: BSD-3-Clause
#include "base/assert.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>

namespace sheaf {

namespace {
std::atomic<AssertHook> g_hook{nullptr};
}

void set_assert_hook(AssertHook hook) noexcept {
    g_hook.store(hook, std::memory_order_release);  // Pairs with the exchange below.
}

void assertion_failed(const char* condition, const char* file, int line) noexcept {
    const std::string text = std::string("sheaf: assertion failed: ") + condition + " at " + file +
                             ":" + std::to_string(line) + "\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
    // Exchanged, so that an assertion that fails inside the hook does not run it again.
    if (AssertHook hook = g_hook.exchange(nullptr, std::memory_order_acq_rel)) hook();
    std::abort();
}

}  // namespace sheaf
