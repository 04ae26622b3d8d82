// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Strong types of the positions and lengths that a file access is made of.
///
/// Bytes and etypes never mix: a ByteOffset is a place in the file (or in a buffer), a ByteCount
/// a length, an EtypeOffset a position in a view, an EtypeCount a number of etypes. Ranges are
/// half-open. Arithmetic is checked by assertion for sign only; overflow is checked where sizes
/// come from users (view/decode.cpp, abi/).

#include <algorithm>
#include <compare>
#include <cstdint>

namespace sheaf {

/// A length in `Unit`s.
template <class Unit>
struct Count {
    std::int64_t value = 0;

    friend constexpr auto operator<=>(Count, Count) = default;
    friend constexpr Count operator+(Count a, Count b) { return {a.value + b.value}; }
    friend constexpr Count operator-(Count a, Count b) { return {a.value - b.value}; }
    constexpr Count& operator+=(Count other) { return value += other.value, *this; }
    constexpr Count& operator-=(Count other) { return value -= other.value, *this; }
    [[nodiscard]] constexpr bool zero() const { return value == 0; }
};

/// A place, counted in `Unit`s from an origin.
template <class Unit>
struct Offset {
    std::int64_t value = 0;

    friend constexpr auto operator<=>(Offset, Offset) = default;
    friend constexpr Offset operator+(Offset a, Count<Unit> n) { return {a.value + n.value}; }
    friend constexpr Offset operator-(Offset a, Count<Unit> n) { return {a.value - n.value}; }
    friend constexpr Count<Unit> operator-(Offset a, Offset b) { return {a.value - b.value}; }
    constexpr Offset& operator+=(Count<Unit> n) { return value += n.value, *this; }
};

struct ByteUnit;
struct EtypeUnit;

using ByteCount = Count<ByteUnit>;
using ByteOffset = Offset<ByteUnit>;
using EtypeCount = Count<EtypeUnit>;
using EtypeOffset = Offset<EtypeUnit>;

/// The bytes `[begin, end)`.
struct ByteRange {
    ByteOffset begin;
    ByteOffset end;

    [[nodiscard]] constexpr bool empty() const { return end <= begin; }
    [[nodiscard]] constexpr ByteCount size() const { return empty() ? ByteCount{} : end - begin; }
    [[nodiscard]] constexpr bool contains(ByteOffset at) const { return begin <= at && at < end; }
    [[nodiscard]] constexpr bool contains(ByteRange other) const {
        return other.empty() || (begin <= other.begin && other.end <= end);
    }
    friend constexpr bool operator==(ByteRange, ByteRange) = default;
};

/// The common part of two ranges; empty where they do not meet.
[[nodiscard]] constexpr ByteRange intersect(ByteRange a, ByteRange b) {
    const ByteOffset begin = std::max(a.begin, b.begin);
    return {begin, std::max(begin, std::min(a.end, b.end))};
}

/// The smallest range that holds both; an empty range adds nothing.
[[nodiscard]] constexpr ByteRange hull(ByteRange a, ByteRange b) {
    if (a.empty()) return b;
    if (b.empty()) return a;
    return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

/// A rank of the communicator at hand.
struct Rank {
    int value = 0;
    friend constexpr auto operator<=>(Rank, Rank) = default;
};

}  // namespace sheaf
