// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Random views of several ranks on one file, with the offset of each byte beside them.

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"
#include "contracts/fcoll.h"
#include "support/bytes.h"
#include "view/file_view.h"

namespace sheaf::testing {

/// Random numbers; equal seeds give equal ones.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    /// Uniform in [low, high].
    std::int64_t in(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>{low, high}(engine_);
    }
    bool one_in(std::int64_t n) { return in(1, n) == 1; }

private:
    std::mt19937_64 engine_;
};

/// A view, and where each of its data bytes is, said the naive way.
struct KnownView {
    view::FileView view;
    std::int64_t displacement = 0;
    std::int64_t extent = 0;
    std::vector<std::int64_t> tile;  // Offset of each data byte of one filetype.

    [[nodiscard]] std::int64_t offset_of(std::int64_t data_byte) const;
    [[nodiscard]] std::string text() const;
};

/// How the bytes of the file are dealt out.
enum class Deal : std::uint8_t {
    segments,      // A contiguous range each.
    vectors,       // Block-cyclic: interleaved, no holes.
    subarrays,     // Blocks of a two-dimensional array.
    indexed,       // Each block goes to a random rank or to nobody.
    shared_bytes,  // Everybody sees random blocks, many of them the same: for reading.
};
inline constexpr int kDeals = 5;

/// One view for each rank; disjoint except for shared_bytes. A rank may see nothing at all.
[[nodiscard]] std::vector<KnownView> deal_views(Deal deal, int ranks, Random& random);

/// A view of the bytes of one block list, tiled: what deal_views() makes its views of.
[[nodiscard]] KnownView known_view(std::int64_t displacement, const view::Layout& layout,
                                   std::int64_t extent);

/// One rank's buffer: a layout that may have gaps, and bytes all around to see what is touched.
class GuardedMemory {
public:
    static constexpr std::byte kGuard{0xee};

    /// Memory for `count` data bytes.
    GuardedMemory(std::int64_t count, Random& random);

    [[nodiscard]] Memory memory() { return {bytes_.data(), layout_}; }
    void fill(std::span<const std::byte> data);
    /// The data in typemap order.
    [[nodiscard]] Bytes data() const;
    /// Every byte that is no data is still a guard.
    [[nodiscard]] ::testing::AssertionResult guards_untouched() const;

private:
    view::Layout layout_;
    std::vector<std::size_t> places_;  // Of each data byte.
    Bytes bytes_;
};

}  // namespace sheaf::testing
