// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Bytes to compare, and the words for where they differ.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace sheaf::testing {

using Bytes = std::vector<std::byte>;

/// Byte number `index` of the data of `rank`: neighbours, ranks and long distances differ.
[[nodiscard]] std::byte pattern(int rank, std::int64_t index);
/// `count` such bytes.
[[nodiscard]] Bytes patterned(int rank, std::int64_t count);
[[nodiscard]] Bytes from_text(const std::string& text);

/// Fails with each range that differs, its expected and its actual bytes.
[[nodiscard]] ::testing::AssertionResult same_bytes(std::span<const std::byte> expected,
                                                    std::span<const std::byte> actual);

/// OK, or a failure with the Status in words.
[[nodiscard]] ::testing::AssertionResult succeeded(const Status& status);
/// A failure with this code, or what it is instead.
[[nodiscard]] ::testing::AssertionResult failed_with(Code code, const Status& status);

}  // namespace sheaf::testing
