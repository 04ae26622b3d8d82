// SPDX-License-Identifier: BSD-3-Clause
#include "buffer.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace model {
namespace {

constexpr std::uint8_t kGuardByte = 0xA5;
constexpr std::int64_t kMargin = 64;
constexpr std::size_t kExcerpt = 16;

std::string hex(const std::vector<std::uint8_t>& bytes) {
    std::string text;
    for (std::size_t i = 0; i < std::min(bytes.size(), kExcerpt); ++i) {
        std::array<char, 4> digits{};
        std::snprintf(digits.data(), digits.size(), "%02x", static_cast<unsigned>(bytes[i]));
        text += digits.data();
    }
    return bytes.size() > kExcerpt ? text + "..." : text;
}

bool all_equal(const std::vector<std::uint8_t>& bytes, std::uint8_t value) {
    return std::all_of(bytes.begin(), bytes.end(),
                       [value](std::uint8_t byte) { return byte == value; });
}

std::string remark(const std::vector<std::uint8_t>& found) {
    if (all_equal(found, kGuardByte)) return " (memory untouched)";
    if (all_equal(found, 0)) return " (zeros)";
    return "";
}

}  // namespace

Buffer::Buffer(const Type& type, std::int64_t count) : origin_{kMargin} {
    std::int64_t low = 0;
    std::int64_t high = 0;
    if (count > 0) {
        const std::int64_t span = (count - 1) * type.extent();
        low = type.true_lb() + std::min<std::int64_t>(span, 0);
        high = type.true_ub() + std::max<std::int64_t>(span, 0);
    }
    origin_ = kMargin - low;
    memory_.assign(static_cast<std::size_t>(high - low + 2 * kMargin), kGuardByte);
    for (std::int64_t item = 0; item < count; ++item) {
        for (const Run& run : type.runs) {
            const std::int64_t first = origin_ + item * type.extent() + run.begin;
            for (std::int64_t at = first; at < first + run.length; ++at)
                places_.push_back(static_cast<std::size_t>(at));
        }
    }
}

void* Buffer::base() {
    // By way of an integer: the address may lie outside of the memory, as lower bounds will have
    // it.
    const auto address = reinterpret_cast<std::intptr_t>(memory_.data()) + origin_;
    return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

void Buffer::scatter(const std::vector<std::uint8_t>& stream) {
    for (std::size_t i = 0; i < stream.size(); ++i) memory_[places_[i]] = stream[i];
}

std::optional<std::string> Buffer::difference(const std::vector<std::uint8_t>& stream,
                                              const std::vector<bool>& defined,
                                              bool guard_the_rest) const {
    std::vector<std::uint8_t> expected(memory_.size(), kGuardByte);
    if (!guard_the_rest) {
        for (std::size_t place : places_) expected[place] = memory_[place];
    }
    std::vector<std::uint8_t> found_stream;
    for (std::size_t i = 0; i < stream.size(); ++i) {
        const bool counts = defined.empty() || defined[i];
        expected[places_[i]] = counts ? stream[i] : memory_[places_[i]];
        found_stream.push_back(memory_[places_[i]]);
    }
    if (expected == memory_) return std::nullopt;
    for (std::size_t i = 0; i < stream.size(); ++i) {
        if (expected[places_[i]] != memory_[places_[i]])
            return describe_difference("byte of the transfer", 0, stream, found_stream);
    }
    return describe_difference("memory that must stay untouched, displacement", -origin_, expected,
                               memory_);
}

std::string describe_difference(const std::string& what, std::int64_t first,
                                const std::vector<std::uint8_t>& expected,
                                const std::vector<std::uint8_t>& found) {
    const std::size_t common = std::min(expected.size(), found.size());
    std::size_t begin = 0;
    while (begin < common && expected[begin] == found[begin]) ++begin;
    std::size_t end = begin;
    while (end < common && expected[end] != found[end]) ++end;
    const auto at = static_cast<std::ptrdiff_t>(begin);
    const auto to = static_cast<std::ptrdiff_t>(end);
    const std::vector<std::uint8_t> wanted(expected.begin() + at, expected.begin() + to);
    const std::vector<std::uint8_t> got(found.begin() + at, found.begin() + to);
    return what + " [" + std::to_string(first + at) + ", " + std::to_string(first + to) +
           "): expected " + hex(wanted) + ", found " + hex(got) + remark(got);
}

}  // namespace model
