// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// SHEAF_ASSERT: our own mistakes. Never for what a caller, a file or a packet may get wrong.

namespace sheaf {

/// Called once, before the process aborts on a failed assertion; trace/ sets it to dump its ring.
using AssertHook = void (*)() noexcept;
void set_assert_hook(AssertHook hook) noexcept;

/// Prints the condition and its place to standard error, runs the hook, aborts.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line) noexcept;

}  // namespace sheaf

/// Holds in every build, release included; cheap conditions only.
#define SHEAF_ASSERT(...) \
    ((__VA_ARGS__) ? void() : ::sheaf::assertion_failed(#__VA_ARGS__, __FILE__, __LINE__))
