// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Coverage: which bytes of a window hold data.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/types.h"
#include "view/cursor.h"

namespace sheaf::fcoll {

/// The bytes of one window of the file that somebody wants to write or read, one bit each: exact
/// for any number of ranks and any overlap, in memory of an eighth of the window.
/// Thread-compatible.
class Coverage {
public:
    /// Nothing covered in `window`.
    void reset(ByteRange window);
    /// Covers the data of `pieces`, whose offsets are file offsets. Requires: inside the window.
    void add(view::Cursor pieces);

    /// From the first covered byte to the one after the last; empty when there is none.
    [[nodiscard]] ByteRange bounds() const { return bounds_; }
    /// Maximal covered ranges in ascending order, where gaps of up to `largest_gap` bytes count as
    /// covered.
    [[nodiscard]] std::vector<ByteRange> runs(ByteCount largest_gap) const;
    /// From the first to after the last uncovered byte inside bounds(); empty when there is none.
    [[nodiscard]] ByteRange holes() const;

private:
    void cover(std::int64_t begin, std::int64_t end);
    /// The first bit from `from` on that is set (or clear); size_ when there is none.
    [[nodiscard]] std::int64_t find(std::int64_t from, bool set) const;

    ByteRange window_;
    ByteRange bounds_;
    std::int64_t size_ = 0;
    std::vector<std::uint64_t> bits_;
};

}  // namespace sheaf::fcoll
