// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Cursor: walks the pieces of a layout in typemap order.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/assert.h"
#include "base/types.h"
#include "view/layout.h"

namespace sheaf::view {

/// A contiguous range of bytes.
struct Piece {
    ByteOffset offset;
    ByteCount length;
    friend constexpr bool operator==(Piece, Piece) = default;
};

/// `count` pieces of `length` bytes each, `stride` bytes apart; the first begins at `first`.
struct StridedRun {
    ByteOffset first;
    ByteCount length;
    std::int64_t stride = 0;
    std::int64_t count = 0;

    [[nodiscard]] ByteCount size() const { return {length.value * count}; }
    friend constexpr bool operator==(StridedRun, StridedRun) = default;
};

/// A place in the data of a layout, in [0, end of the walk]. Between two pieces it stands at the
/// beginning of the later one.
///
/// Memory is proportional to the depth of the tree (none on the heap up to eight levels). A step
/// inside a run of equal pieces costs a few instructions, seek() O(depth * log). Keeps the layout
/// alive; may be copied to remember a place. Thread-confined.
class Cursor {
public:
    /// Stands at data byte 0; ends after the last one.
    explicit Cursor(Layout layout);
    /// Stands at `begin` and ends at `end`, both data positions.
    /// Requires: 0 <= begin <= end <= layout.size().
    Cursor(Layout layout, ByteCount begin, ByteCount end);

    [[nodiscard]] bool at_end() const { return position_ >= end_; }
    /// Data bytes of the layout before this place.
    [[nodiscard]] ByteCount position() const { return {position_}; }
    /// Data bytes from here to the end of the walk.
    [[nodiscard]] ByteCount remaining() const { return {end_ - position_}; }
    [[nodiscard]] const Layout& layout() const { return layout_; }

    /// What is left of the piece at this place, cut at the end of the walk. Requires: !at_end().
    [[nodiscard]] Piece piece() const {
        SHEAF_ASSERT(!at_end());
        return {{offset_ + within_}, {std::min(length_ - within_, end_ - position_)}};
    }

    /// As many equal pieces as follow from here at once, at least one: all of the innermost run
    /// that is left; only the rest of the piece when this place is inside one. Requires: !at_end().
    [[nodiscard]] StridedRun strided_run() const {
        const Piece now = piece();
        if (within_ != 0 || now.length.value != length_) return {now.offset, now.length, 0, 1};
        return {now.offset, now.length, stride_, whole_pieces()};
    }

    /// Moves on by `count` data bytes. Requires: 0 <= count <= remaining().
    void advance(ByteCount count) {
        SHEAF_ASSERT(0 <= count.value && count.value <= end_ - position_);
        position_ += count.value;
        within_ += count.value;
        if (within_ >= length_) leave_piece();
    }

    /// Goes to a data position. Requires: 0 <= position <= the end of the walk.
    void seek(ByteCount position);

private:
    struct Frame {
        const Node* node = nullptr;
        std::int64_t base = 0;   // Offset of the node's first data byte.
        std::int64_t index = 0;  // Child, displacement or block at hand.
        std::int64_t inner = 0;  // blocks: repetition within the block.
    };
    static constexpr int kInlineFrames = 8;

    [[nodiscard]] std::int64_t whole_pieces() const {
        if (end_ - position_ >= run_bytes()) return left_;
        return (end_ - position_) / length_;
    }
    /// Bytes of the pieces left in the run; no overflow, they are data of one layout.
    [[nodiscard]] std::int64_t run_bytes() const { return left_ * length_; }

    Frame& frame(int level) {
        if (level < kInlineFrames) return inline_[static_cast<std::size_t>(level)];
        return deep_[static_cast<std::size_t>(level - kInlineFrames)];
    }
    void push(const Frame& entry);

    void leave_piece() {
        if (within_ == length_ && left_ > 1) {
            --left_;
            offset_ += stride_;
            within_ = 0;
        } else {
            leave_run();
        }
    }
    void leave_run();
    bool next_run();
    bool enter_next(Frame& top);
    bool enter_next_of_block(Frame& top);
    void enter(const Node* node, std::int64_t base);
    void enter_block(const Frame& at);
    bool enter_at(const Node*& node, std::int64_t& base, std::int64_t& position);
    void start_run(std::int64_t offset, const StridedRun& run, std::int64_t skipped);
    void end_run();

    Layout layout_;
    std::int64_t position_ = 0;
    std::int64_t end_ = 0;

    // The run at hand: `left_` pieces of `length_` bytes, the first (partly done) at `offset_`.
    std::int64_t offset_ = 0;
    std::int64_t length_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t stride_ = 0;
    std::int64_t left_ = 0;
    std::int64_t within_ = 0;

    int depth_ = 0;
    std::array<Frame, kInlineFrames> inline_;
    std::vector<Frame> deep_;
};

}  // namespace sheaf::view
