// SPDX-License-Identifier: BSD-3-Clause
#include "support/bytes.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::testing {

namespace {

constexpr std::size_t kRangesShown = 5;
constexpr std::size_t kBytesShown = 16;

std::string in_hex(std::span<const std::byte> bytes) {
    std::string text;
    for (const std::byte b : bytes.first(std::min(bytes.size(), kBytesShown)))
        text += fmt::format("{:02x}", static_cast<unsigned>(b));
    return bytes.size() > kBytesShown ? text + "..." : text;
}

/// The end of the range that differs from `begin` on.
std::size_t end_of_difference(std::span<const std::byte> a, std::span<const std::byte> b,
                              std::size_t begin) {
    while (begin < a.size() && a[begin] != b[begin]) ++begin;
    return begin;
}

}  // namespace

std::byte pattern(int rank, std::int64_t index) {
    const auto mixed = static_cast<std::uint64_t>(index + 1) * std::uint64_t{0x9e3779b97f4a7c15} +
                       static_cast<std::uint64_t>(rank + 1) * std::uint64_t{0xbf58476d1ce4e5b9};
    return static_cast<std::byte>((mixed >> 40) & 0xff);
}

Bytes patterned(int rank, std::int64_t count) {
    Bytes bytes(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = pattern(rank, static_cast<std::int64_t>(i));
    return bytes;
}

Bytes from_text(const std::string& text) {
    Bytes bytes(text.size());
    std::ranges::transform(text, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
    return bytes;
}

::testing::AssertionResult same_bytes(std::span<const std::byte> expected,
                                      std::span<const std::byte> actual) {
    if (expected.size() != actual.size()) {
        return ::testing::AssertionFailure()
               << "expected " << expected.size() << " bytes, there are " << actual.size();
    }
    std::string text;
    std::size_t ranges = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (expected[i] == actual[i]) continue;
        const std::size_t end = end_of_difference(expected, actual, i);
        if (++ranges <= kRangesShown) {
            text += fmt::format("\n  [{}, {}): expected {}, actual {}", i, end,
                                in_hex(expected.subspan(i, end - i)),
                                in_hex(actual.subspan(i, end - i)));
        }
        i = end;
    }
    if (ranges == 0) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << ranges << " ranges differ:" << text;
}

::testing::AssertionResult succeeded(const Status& status) {
    if (status.ok()) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure()
           << "failed with " << name_of(status.code()) << ": " << status.text();
}

::testing::AssertionResult failed_with(Code code, const Status& status) {
    if (status.code() == code) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "expected " << name_of(code) << ", got "
                                         << name_of(status.code()) << ": " << status.text();
}

}  // namespace sheaf::testing
