// SPDX-License-Identifier: BSD-3-Clause
#include "view/node_build.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/assert.h"
#include "view/checked.h"

namespace sheaf::view {

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Status overflow() {
    return {Code::overflow, "a datatype's size or bounds exceed 63 bits"};
}

std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
    return a > kMost - b ? kMost : a + b;
}

std::int64_t saturated_product(std::int64_t a, std::int64_t b) {
    const Checked product = Checked{a} * b;
    return product.ok() ? product.value() : kMost;
}

/// One step of splitmix64 over the sum: good enough to tell trees apart, the same everywhere.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t value) {
    std::uint64_t x = seed + 0x9E3779B97F4A7C15U + value;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
}

std::uint64_t mixed(std::uint64_t seed, std::int64_t value) {
    return mixed(seed, static_cast<std::uint64_t>(value));
}

std::uint64_t mixed(std::uint64_t seed, const std::vector<std::int64_t>& values) {
    for (const std::int64_t value : values) seed = mixed(seed, value);
    return seed;
}

std::uint64_t hash_of(const Node& node) {
    std::uint64_t hash = mixed(static_cast<std::uint64_t>(node.kind), node.shape.size);
    hash = mixed(mixed(hash, node.count), node.stride);
    hash = mixed(mixed(hash, node.displacements), node.first_child);
    if (node.child) hash = mixed(hash, node.child->hash);
    for (const NodePtr& child : node.children) hash = mixed(hash, child->hash);
    return hash;
}

/// `count` times `shape`, `stride` apart; nothing on overflow.
std::optional<Shape> repeated(const Shape& shape, std::int64_t count, std::int64_t stride) {
    const Checked reach = Checked{count - 1} * stride;
    const Checked size = Checked{count} * shape.size;
    const Checked begin = Checked{shape.begin} + std::min<std::int64_t>(reach.value(), 0);
    const Checked end = Checked{shape.end} + std::max<std::int64_t>(reach.value(), 0);
    const Checked span = end - begin;
    if (!reach.ok() || !size.ok() || !span.ok()) return std::nullopt;
    Shape all = shape;
    all.size = size.value();
    all.begin = begin.value();
    all.end = end.value();
    all.pieces = saturated_product(shape.pieces, count);
    if (count == 1) return all;
    all.last_begin = reach.value() + shape.last_begin;
    const std::int64_t own_span = shape.end - shape.begin;
    all.may_overlap = shape.may_overlap || (stride < own_span && stride > -own_span);
    // Both sides are within the bounds just checked, as the stride lies between them.
    all.monotone = shape.monotone && shape.last_begin <= stride &&
                   shape.last_begin + shape.last_size <= stride + shape.first_size;
    return all;
}

/// Measures a sequence of shapes, each at its displacement.
class Measure {
public:
    void add(std::int64_t displacement, const Shape& next) {
        const Checked begin = Checked{displacement} + next.begin;
        const Checked end = Checked{displacement} + next.end;
        if (!begin.ok() || !end.ok()) {
            failed_ = true;
        } else if (count_++ == 0) {
            all_ = next;
        } else if (!failed_) {
            append(displacement, next, begin.value(), end.value());
        }
    }

    [[nodiscard]] std::optional<Shape> result() const {
        const Checked span = Checked{all_.end} - all_.begin;
        if (failed_ || !span.ok()) return std::nullopt;
        return all_;
    }

private:
    void append(std::int64_t displacement, const Shape& next, std::int64_t begin,
                std::int64_t end) {
        const Checked size = Checked{all_.size} + next.size;
        if (!size.ok()) {
            failed_ = true;
            return;
        }
        const bool apart = begin >= all_.end || end <= all_.begin;
        all_.may_overlap = all_.may_overlap || next.may_overlap || !apart;
        all_.monotone = all_.monotone && next.monotone && all_.last_begin <= displacement &&
                        all_.last_begin + all_.last_size <= displacement + next.first_size;
        all_.size = size.value();
        all_.begin = std::min(all_.begin, begin);
        all_.end = std::max(all_.end, end);
        all_.pieces = saturated_sum(all_.pieces, next.pieces);
        all_.last_begin = displacement + next.last_begin;
        all_.last_size = next.last_size;
    }

    Shape all_;
    std::size_t count_ = 0;
    bool failed_ = false;
};

Result<NodePtr> finished(Node&& node, const std::optional<Shape>& shape, int child_depth) {
    if (!shape) return overflow();
    if (child_depth >= kMaxDepth) {
        return Status{Code::unsupported_operation, "a datatype is nested more than 256 deep"};
    }
    SHEAF_ASSERT(shape->size > 0 && shape->begin <= 0 && shape->end > 0);
    node.depth = static_cast<std::int16_t>(child_depth + 1);
    node.shape = *shape;
    node.hash = hash_of(node);
    return NodePtr{std::make_shared<const Node>(std::move(node))};
}

}  // namespace

NodePtr bytes_node(std::int64_t size) {
    SHEAF_ASSERT(size > 0);
    Node node;
    node.shape.size = node.shape.end = node.shape.first_size = node.shape.last_size = size;
    node.hash = hash_of(node);
    return std::make_shared<const Node>(std::move(node));
}

Result<NodePtr> strided_node(std::int64_t count, std::int64_t stride, NodePtr child) {
    SHEAF_ASSERT(count >= 2 && child != nullptr);
    Node node;
    node.kind = NodeKind::strided;
    node.count = count;
    node.stride = stride;
    const int depth = child->depth;
    const auto shape = repeated(child->shape, count, stride);
    node.child = std::move(child);
    return finished(std::move(node), shape, depth);
}

Result<NodePtr> indexed_node(std::vector<std::int64_t> displacements, NodePtr child) {
    SHEAF_ASSERT(displacements.size() >= 2 && displacements.front() == 0);
    Measure measure;
    for (const std::int64_t where : displacements) measure.add(where, child->shape);
    Node node;
    node.kind = NodeKind::indexed;
    node.count = static_cast<std::int64_t>(displacements.size());
    node.displacements = std::move(displacements);
    const int depth = child->depth;
    node.child = std::move(child);
    return finished(std::move(node), measure.result(), depth);
}

Result<NodePtr> blocks_node(std::vector<std::int64_t> displacements,
                            std::vector<std::int64_t> first_child, std::int64_t stride,
                            NodePtr child) {
    SHEAF_ASSERT(displacements.size() >= 2 && displacements.front() == 0);
    SHEAF_ASSERT(first_child.size() == displacements.size() + 1);
    Measure measure;
    const bool plain = child->kind == NodeKind::bytes && child->shape.size == stride;
    for (std::size_t i = 0; i < displacements.size(); ++i) {
        auto shape = repeated(child->shape, first_child[i + 1] - first_child[i], stride);
        if (!shape) return overflow();
        if (plain) {  // Adjoining bytes are one piece.
            shape->pieces = 1;
            shape->last_begin = 0;
            shape->first_size = shape->last_size = shape->size;
        }
        measure.add(displacements[i], *shape);
    }
    Node node;
    node.kind = NodeKind::blocks;
    node.count = static_cast<std::int64_t>(displacements.size());
    node.stride = stride;
    node.displacements = std::move(displacements);
    node.first_child = std::move(first_child);
    const int depth = child->depth;
    node.child = std::move(child);
    return finished(std::move(node), measure.result(), depth);
}

Result<NodePtr> structure_node(std::vector<std::int64_t> displacements,
                               std::vector<NodePtr> children) {
    SHEAF_ASSERT(displacements.size() >= 2 && displacements.size() == children.size());
    Measure measure;
    Node node;
    node.kind = NodeKind::structure;
    node.count = static_cast<std::int64_t>(children.size());
    node.first_data.reserve(children.size() + 1);
    Checked data{0};
    int depth = 0;
    for (std::size_t i = 0; i < children.size(); ++i) {
        measure.add(displacements[i], children[i]->shape);
        depth = std::max<int>(depth, children[i]->depth);
        node.first_data.push_back(data.value());
        data = data + children[i]->shape.size;
    }
    node.first_data.push_back(data.value());
    node.displacements = std::move(displacements);
    node.children = std::move(children);
    return finished(std::move(node), measure.result(), depth);
}

}  // namespace sheaf::view
