// SPDX-License-Identifier: BSD-3-Clause

/// Questions to layouts: equality, text, position in the file.

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "view/layout.h"

namespace sheaf::view {

namespace {

constexpr std::size_t kShownEntries = 16;

/// The first index in [0, count) whose `end_of` is beyond `offset`. Requires: there is one.
template <class EndOf>
std::size_t first_beyond(std::size_t count, std::int64_t offset, EndOf end_of) {
    std::size_t low = 0;
    std::size_t high = count - 1;
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (end_of(middle) > offset) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/// Which repetition of a child that ends at `end`, repeated by `stride`, is the first to reach
/// beyond `offset`. Requires: stride >= 0, and one does.
std::int64_t first_repetition_beyond(std::int64_t offset, std::int64_t stride, std::int64_t end) {
    return offset < end ? 0 : (offset - end) / stride + 1;
}

/// A place on the way down the tree: data bytes passed, and the offset relative to the node.
struct Descent {
    const Node* node;
    std::int64_t offset;
    std::int64_t passed = 0;

    void enter(const Node* child, std::int64_t base, std::int64_t data) {
        offset -= base;
        passed += data;
        node = child;
    }
};

void enter_block(Descent& at) {
    const Node& node = *at.node;
    const Shape& child = node.child->shape;
    const auto end_of = [&](std::size_t i) {
        return node.displacements[i] + (node.repetitions(i) - 1) * node.stride + child.end;
    };
    const std::size_t block = first_beyond(node.displacements.size(), at.offset, end_of);
    const std::int64_t within = at.offset - node.displacements[block];
    const std::int64_t inner =
        within <= 0 ? 0 : first_repetition_beyond(within, node.stride, child.end);
    at.enter(node.child.get(), node.displacements[block] + inner * node.stride,
             (node.first_child[block] + inner) * child.size);
}

/// Goes down to the first child with a byte at or after the offset.
void enter_child(Descent& at) {
    const Node& node = *at.node;
    if (node.kind == NodeKind::strided) {
        const Shape& child = node.child->shape;
        const std::int64_t i = first_repetition_beyond(at.offset, node.stride, child.end);
        at.enter(node.child.get(), i * node.stride, i * child.size);
    } else if (node.kind == NodeKind::indexed) {
        const Shape& child = node.child->shape;
        const std::size_t i =
            first_beyond(node.displacements.size(), at.offset,
                         [&](std::size_t k) { return node.displacements[k] + child.end; });
        at.enter(node.child.get(), node.displacements[i],
                 static_cast<std::int64_t>(i) * child.size);
    } else if (node.kind == NodeKind::blocks) {
        enter_block(at);
    } else {
        const std::size_t i = first_beyond(node.children.size(), at.offset, [&](std::size_t k) {
            return node.displacements[k] + node.children[k]->shape.end;
        });
        at.enter(node.children[i].get(), node.displacements[i], node.first_data[i]);
    }
}

template <class Entry>
std::string listed(std::size_t count, std::string_view separator, Entry entry) {
    std::string text;
    for (std::size_t i = 0; i < std::min(count, kShownEntries); ++i) {
        if (i > 0) text += separator;
        text += entry(i);
    }
    if (count > kShownEntries) {
        text += std::string{separator} + "... of " + std::to_string(count);
    }
    return text;
}

std::string text_of(const Node& node) {
    const auto where = [&](std::size_t i) { return std::to_string(node.displacements[i]); };
    switch (node.kind) {
        case NodeKind::bytes:
            return std::to_string(node.shape.size);
        case NodeKind::strided:
            return "strided(" + std::to_string(node.count) + ", " + std::to_string(node.stride) +
                   ", " + text_of(*node.child) + ")";
        case NodeKind::indexed:
            return "indexed([" + listed(node.displacements.size(), " ", where) + "], " +
                   text_of(*node.child) + ")";
        case NodeKind::blocks: {
            const auto block = [&](std::size_t i) {
                return where(i) + ":" + std::to_string(node.repetitions(i));
            };
            return "blocks([" + listed(node.displacements.size(), " ", block) + "], " +
                   std::to_string(node.stride) + ", " + text_of(*node.child) + ")";
        }
        case NodeKind::structure:
            break;
    }
    const auto part = [&](std::size_t i) { return where(i) + ":" + text_of(*node.children[i]); };
    return "struct(" + listed(node.children.size(), ", ", part) + ")";
}

bool same_fields(const Node& a, const Node& b) {
    return a.kind == b.kind && a.hash == b.hash && a.depth == b.depth &&
           a.shape.size == b.shape.size && a.count == b.count && a.stride == b.stride &&
           a.displacements == b.displacements && a.first_child == b.first_child &&
           a.children.size() == b.children.size();
}

}  // namespace

Layout::Layout(ByteOffset origin, NodePtr node)
    : origin_(node ? origin : ByteOffset{}), node_(std::move(node)) {}

ByteCount Layout::size() const {
    return {node_ ? node_->shape.size : 0};
}

ByteRange Layout::bounds() const {
    if (!node_) return {};
    return {{origin_.value + node_->shape.begin}, {origin_.value + node_->shape.end}};
}

std::int64_t Layout::pieces() const {
    return node_ ? node_->shape.pieces : 0;
}

bool Layout::contiguous() const {
    return !node_ || node_->kind == NodeKind::bytes;
}

bool Layout::monotone() const {
    return !node_ || node_->shape.monotone;
}

bool Layout::may_overlap() const {
    return node_ && node_->shape.may_overlap;
}

int Layout::depth() const {
    return node_ ? node_->depth : 0;
}

std::uint64_t Layout::hash() const {
    if (!node_) return 0;
    return node_->hash ^ (static_cast<std::uint64_t>(origin_.value) * 0x9E3779B97F4A7C15U);
}

bool equal(const NodePtr& a, const NodePtr& b) {
    if (a == b) return true;
    if (!a || !b || !same_fields(*a, *b)) return false;
    if (!equal(a->child, b->child)) return false;
    return std::equal(a->children.begin(), a->children.end(), b->children.begin(), equal);
}

bool operator==(const Layout& a, const Layout& b) {
    return a.origin_ == b.origin_ && equal(a.node_, b.node_);
}

std::string to_string(const Layout& layout) {
    if (layout.empty()) return "nothing";
    return text_of(*layout.root()) + "@" + std::to_string(layout.origin().value);
}

ByteCount data_before(const Layout& layout, ByteOffset offset) {
    SHEAF_ASSERT(layout.monotone());
    const ByteRange bounds = layout.bounds();
    if (offset <= bounds.begin) return {};
    if (offset >= bounds.end) return layout.size();
    Descent at{layout.root(), offset.value - layout.origin().value};
    while (at.offset > 0 && at.node->kind != NodeKind::bytes) enter_child(at);
    const ByteCount before{at.passed + std::max<std::int64_t>(at.offset, 0)};
    SHEAF_ASSERT(before < layout.size());
    return before;
}

}  // namespace sheaf::view
