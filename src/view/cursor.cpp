// SPDX-License-Identifier: BSD-3-Clause
#include "view/cursor.h"

#include <iterator>
#include <utility>

namespace sheaf::view {

namespace {

/// advance() passes so many runs one by one before it looks the place up from the root.
constexpr int kHops = 4;

bool is_bytes(const NodePtr& node) {
    return node->kind == NodeKind::bytes;
}

/// Index of the last entry of an ascending list that is not above `value`; the list begins with 0.
std::size_t last_not_above(const std::vector<std::int64_t>& starts, std::int64_t value) {
    const auto above = std::upper_bound(starts.begin(), starts.end(), value);
    return static_cast<std::size_t>(std::distance(starts.begin(), above)) - 1;
}

/// Pieces of block `index` of a blocks node over bytes, as a run from offset 0.
StridedRun block_run(const Node& node, std::size_t index) {
    const std::int64_t count = node.repetitions(index);
    if (node.byte_blocks()) return {{}, {count}, 0, 1};
    return {{}, {node.child->shape.size}, node.stride, count};
}

}  // namespace

Cursor::Cursor(Layout layout) : layout_(std::move(layout)), end_(layout_.size().value) {
    seek({});
}

Cursor::Cursor(Layout layout, ByteCount begin, ByteCount end)
    : layout_(std::move(layout)), end_(end.value) {
    SHEAF_ASSERT(0 <= begin.value && begin <= end && end <= layout_.size());
    seek(begin);
}

void Cursor::seek(ByteCount position) {
    SHEAF_ASSERT(0 <= position.value && position.value <= end_);
    position_ = position.value;
    depth_ = 0;
    if (at_end()) return end_run();
    const Node* node = layout_.root();
    std::int64_t base = layout_.origin().value;
    std::int64_t left = position.value;
    while (!enter_at(node, base, left)) {
    }
}

/// One level down towards data byte `position` of `node`; true when the run is reached.
bool Cursor::enter_at(const Node*& node, std::int64_t& base, std::int64_t& position) {
    if (node->kind == NodeKind::bytes) {
        start_run(base, {{}, {node->shape.size}, 0, 1}, position);
        return true;
    }
    if (node->kind == NodeKind::structure) {
        const std::size_t i = last_not_above(node->first_data, position);
        push({node, base, static_cast<std::int64_t>(i), 0});
        base += node->displacements[i];
        position -= node->first_data[i];
        node = node->children[i].get();
        return false;
    }
    const std::int64_t child_size = node->child->shape.size;
    const std::int64_t index = position / child_size;
    if (node->kind == NodeKind::strided && is_bytes(node->child)) {
        start_run(base, {{}, {child_size}, node->stride, node->count}, position);
        return true;
    }
    if (node->kind == NodeKind::blocks) {
        const std::size_t i = last_not_above(node->first_child, index);
        const std::int64_t inner = index - node->first_child[i];
        push({node, base, static_cast<std::int64_t>(i), inner});
        base += node->displacements[i];
        if (is_bytes(node->child)) {
            start_run(base, block_run(*node, i), position - node->first_child[i] * child_size);
            return true;
        }
        base += inner * node->stride;
    } else {
        push({node, base, index, 0});
        base += node->kind == NodeKind::strided
                    ? index * node->stride
                    : node->displacements[static_cast<std::size_t>(index)];
    }
    position -= index * child_size;
    node = node->child.get();
    return false;
}

void Cursor::push(const Frame& entry) {
    const int level = depth_++;
    if (level >= kInlineFrames) deep_.resize(static_cast<std::size_t>(depth_ - kInlineFrames));
    frame(level) = entry;
}

/// Stands `skipped` data bytes into `run`, moved by `offset`.
void Cursor::start_run(std::int64_t offset, const StridedRun& run, std::int64_t skipped) {
    const std::int64_t pieces = skipped < run.length.value ? 0 : skipped / run.length.value;
    SHEAF_ASSERT(pieces < run.count);
    length_ = run.length.value;
    stride_ = run.stride;
    left_ = run.count - pieces;
    offset_ = offset + pieces * run.stride;
    within_ = skipped - pieces * length_;
}

void Cursor::end_run() {
    length_ = std::numeric_limits<std::int64_t>::max();
    left_ = 0;
    within_ = 0;
}

/// The walk has gone past the piece at hand, and not to the beginning of the next in its run.
void Cursor::leave_run() {
    if (at_end()) return end_run();
    if (within_ == length_ && left_ == 1) {  // The common case: exactly at the end of a run.
        const bool found = next_run();
        SHEAF_ASSERT(found);
        return;
    }
    std::int64_t ahead = within_;
    for (int hop = 0; hop < kHops; ++hop) {
        if (ahead < run_bytes()) {
            const std::int64_t pieces = ahead / length_;
            left_ -= pieces;
            offset_ += pieces * stride_;
            within_ = ahead - pieces * length_;
            return;
        }
        ahead -= run_bytes();
        const bool found = next_run();
        SHEAF_ASSERT(found);
    }
    seek({position_});
}

bool Cursor::next_run() {
    for (; depth_ > 0; --depth_) {
        if (enter_next(frame(depth_ - 1))) return true;
    }
    return false;
}

bool Cursor::enter_next(Frame& top) {
    const Node& node = *top.node;
    if (node.kind == NodeKind::blocks) return enter_next_of_block(top);
    if (++top.index >= node.count) return false;
    if (node.kind == NodeKind::indexed && is_bytes(node.child)) {
        // As the run before, elsewhere.
        offset_ = top.base + node.displacements[static_cast<std::size_t>(top.index)];
        within_ = 0;
        return true;
    }
    const auto index = static_cast<std::size_t>(top.index);
    if (node.kind == NodeKind::strided) {
        enter(node.child.get(), top.base + top.index * node.stride);
    } else if (node.kind == NodeKind::indexed) {
        enter(node.child.get(), top.base + node.displacements[index]);
    } else {
        enter(node.children[index].get(), top.base + node.displacements[index]);
    }
    return true;
}

bool Cursor::enter_next_of_block(Frame& top) {
    const Node& node = *top.node;
    const auto block = static_cast<std::size_t>(top.index);
    if (is_bytes(node.child) || ++top.inner >= node.repetitions(block)) {
        top.inner = 0;
        if (++top.index >= node.count) return false;
    }
    enter_block(top);
    return true;
}

void Cursor::enter_block(const Frame& at) {
    const Node& node = *at.node;
    const auto block = static_cast<std::size_t>(at.index);
    const std::int64_t base = at.base + node.displacements[block];
    if (is_bytes(node.child)) {
        start_run(base, block_run(node, block), 0);
    } else {
        enter(node.child.get(), base + at.inner * node.stride);
    }
}

/// Goes down the first children of `node` to the first run.
void Cursor::enter(const Node* node, std::int64_t base) {
    for (;;) {
        if (node->kind == NodeKind::bytes) {
            return start_run(base, {{}, {node->shape.size}, 0, 1}, 0);
        }
        if (node->kind == NodeKind::strided && is_bytes(node->child)) {
            return start_run(base, {{}, {node->child->shape.size}, node->stride, node->count}, 0);
        }
        push({node, base, 0, 0});
        if (node->kind == NodeKind::blocks && is_bytes(node->child)) {
            return start_run(base, block_run(*node, 0), 0);
        }
        node = node->kind == NodeKind::structure ? node->children[0].get() : node->child.get();
    }
}

}  // namespace sheaf::view
