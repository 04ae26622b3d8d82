// SPDX-License-Identifier: BSD-3-Clause

/// The builders of layout.h: every layout passes through here, and leaves in normal form.

#include "view/layout.h"

#include <utility>

#include "base/assert.h"
#include "view/checked.h"
#include "view/node_build.h"

namespace sheaf::view {

namespace {

/// A struct of at most so many parts is dissolved in the struct around it.
constexpr std::size_t kInlineParts = 16;

Status overflow() {
    return {Code::overflow, "a datatype's size or bounds exceed 63 bits"};
}

/// `repetitions` children from `displacement` on.
struct Block {
    std::int64_t displacement;
    std::int64_t repetitions;
};
using Blocks = std::vector<Block>;

bool is_bytes(const NodePtr& node) {
    return node->kind == NodeKind::bytes;
}

Result<Layout> at(std::int64_t origin, Result<NodePtr> node) {
    SHEAF_TRY(NodePtr made, std::move(node));
    const Shape& shape = made->shape;
    const Checked begin = Checked{origin} + shape.begin;
    const Checked end = Checked{origin} + shape.end;
    if (!begin.ok() || !end.ok()) return overflow();
    return Layout{ByteOffset{origin}, std::move(made)};
}

/// Appends a block, or lets the last one grow when the new one goes on where it stops.
Status append(Blocks& blocks, Block next, std::int64_t stride) {
    if (!blocks.empty()) {
        Block& last = blocks.back();
        const Checked stop = Checked{last.displacement} + Checked{last.repetitions} * stride;
        if (stop.ok() && stop.value() == next.displacement) {
            const Checked sum = Checked{last.repetitions} + next.repetitions;
            if (!sum.ok()) return overflow();
            last.repetitions = sum.value();
            return {};
        }
    }
    blocks.push_back(next);
    return {};
}

bool equal_lengths(const Blocks& blocks) {
    for (const Block& block : blocks) {
        if (block.repetitions != blocks.front().repetitions) return false;
    }
    return true;
}

/// The common distance of neighbours, when there is one.
bool constant_gap(const Blocks& blocks, std::int64_t& gap) {
    const Checked first = Checked{blocks[1].displacement} - blocks[0].displacement;
    if (!first.ok()) return false;
    for (std::size_t i = 1; i < blocks.size(); ++i) {
        const Checked step = Checked{blocks[i].displacement} - blocks[i - 1].displacement;
        if (!step.ok() || step.value() != first.value()) return false;
    }
    gap = first.value();
    return true;
}

/// Displacements relative to the first; empty on overflow.
std::vector<std::int64_t> relative(const Blocks& blocks) {
    std::vector<std::int64_t> displacements;
    displacements.reserve(blocks.size());
    for (const Block& block : blocks) {
        const Checked shift = Checked{block.displacement} - blocks.front().displacement;
        if (!shift.ok()) return {};
        displacements.push_back(shift.value());
    }
    return displacements;
}

Result<NodePtr> unequal_blocks(const Blocks& blocks, std::int64_t stride, const NodePtr& child) {
    std::vector<std::int64_t> displacements = relative(blocks);
    if (displacements.empty()) return overflow();
    std::vector<std::int64_t> first_child{0};
    first_child.reserve(blocks.size() + 1);
    for (const Block& block : blocks) {
        const Checked sum = Checked{first_child.back()} + block.repetitions;
        if (!sum.ok()) return overflow();
        first_child.push_back(sum.value());
    }
    return blocks_node(std::move(displacements), std::move(first_child), stride, child);
}

/// Normal form of merged blocks.
Result<Layout> from_blocks(const Blocks& blocks, std::int64_t stride, const NodePtr& child) {
    if (blocks.empty()) return Layout{};
    const std::int64_t origin = blocks.front().displacement;
    if (!equal_lengths(blocks)) return at(origin, unequal_blocks(blocks, stride, child));
    SHEAF_TRY(const Layout block,
              strided(blocks.front().repetitions, stride, Layout{ByteOffset{}, child}));
    if (blocks.size() == 1) return at(origin, block.node());
    if (std::int64_t gap = 0; constant_gap(blocks, gap)) {
        SHEAF_TRY(const Layout all, strided(static_cast<std::int64_t>(blocks.size()), gap, block));
        return at(origin, all.node());
    }
    std::vector<std::int64_t> displacements = relative(blocks);
    if (displacements.empty()) return overflow();
    return at(origin, indexed_node(std::move(displacements), block.node()));
}

/// All repetitions are at most 1 (an empty list means 1 each).
bool single(std::span<const std::int64_t> repetitions) {
    for (const std::int64_t count : repetitions) {
        if (count > 1) return false;
    }
    return true;
}

Status check(const IndexedSpec& spec) {
    if (!spec.repetitions.empty() && spec.repetitions.size() != spec.displacements.size()) {
        return {Code::argument, "displacements and block lengths differ in number"};
    }
    for (const std::int64_t count : spec.repetitions) {
        if (count < 0) return {Code::count, "a block length is negative"};
    }
    return {};
}

/// How collect() changes the blocks: moves them, counts in another unit, merges neighbours that
/// lie as the repetitions within one block do.
struct Change {
    std::int64_t origin;
    std::int64_t unit;
    bool merge;
};

/// The blocks that are not empty.
Result<Blocks> collect(const IndexedSpec& spec, const Change& change) {
    Blocks blocks;
    for (std::size_t i = 0; i < spec.displacements.size(); ++i) {
        const std::int64_t count = spec.repetitions.empty() ? 1 : spec.repetitions[i];
        if (count == 0) continue;
        const Checked where = Checked{spec.displacements[i]} + change.origin;
        const Checked length = Checked{count} * change.unit;
        if (!where.ok() || !length.ok()) return overflow();
        const Block next{where.value(), length.value()};
        if (change.merge) {
            SHEAF_CHECK(append(blocks, next, spec.stride));
        } else {
            blocks.push_back(next);
        }
    }
    return blocks;
}

struct StructItem {
    std::int64_t displacement;
    NodePtr node;
};
using StructItems = std::vector<StructItem>;

Status append_item(StructItems& items, StructItem next) {
    if (!items.empty() && is_bytes(items.back().node) && is_bytes(next.node)) {
        StructItem& last = items.back();
        const Checked stop = Checked{last.displacement} + last.node->shape.size;
        if (stop.ok() && stop.value() == next.displacement) {
            const Checked size = Checked{last.node->shape.size} + next.node->shape.size;
            if (!size.ok()) return overflow();
            last.node = bytes_node(size.value());
            return {};
        }
    }
    items.push_back(std::move(next));
    return {};
}

/// Appends a part; a small struct dissolves into its own parts.
Status append_part(StructItems& items, const Part& part) {
    if (part.child.empty()) return {};
    const Checked base = Checked{part.displacement.value} + part.child.origin().value;
    if (!base.ok()) return overflow();
    const Node& node = *part.child.root();
    if (node.kind != NodeKind::structure || node.children.size() > kInlineParts) {
        return append_item(items, {base.value(), part.child.node()});
    }
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        const Checked where = base + node.displacements[i];
        if (!where.ok()) return overflow();
        SHEAF_CHECK(append_item(items, {where.value(), node.children[i]}));
    }
    return {};
}

bool all_bytes(const StructItems& items) {
    for (const StructItem& item : items) {
        if (!is_bytes(item.node)) return false;
    }
    return true;
}

bool all_equal(const StructItems& items) {
    for (const StructItem& item : items) {
        if (!equal(item.node, items.front().node)) return false;
    }
    return true;
}

Result<Layout> unlike_parts(const StructItems& items) {
    std::vector<std::int64_t> displacements;
    std::vector<NodePtr> children;
    for (const StructItem& item : items) {
        const Checked shift = Checked{item.displacement} - items.front().displacement;
        if (!shift.ok()) return overflow();
        displacements.push_back(shift.value());
        children.push_back(item.node);
    }
    return at(items.front().displacement,
              structure_node(std::move(displacements), std::move(children)));
}

}  // namespace

Result<Layout> bytes(std::int64_t count) {
    if (count < 0) return Status{Code::count, "a number of bytes is negative"};
    if (count == 0) return Layout{};
    return Layout{ByteOffset{}, bytes_node(count)};
}

Result<Layout> strided(std::int64_t count, std::int64_t stride, const Layout& child) {
    if (count < 0) return Status{Code::count, "a count is negative"};
    if (count == 0 || child.empty()) return Layout{};
    if (count == 1) return child;
    const Node& node = *child.root();
    const std::int64_t origin = child.origin().value;
    if (node.kind == NodeKind::bytes && node.shape.size == stride) {
        const Checked size = Checked{count} * stride;
        if (!size.ok()) return overflow();
        return at(origin, bytes_node(size.value()));
    }
    if (node.kind == NodeKind::strided) {
        const Checked span = Checked{node.count} * node.stride;
        const Checked product = Checked{node.count} * count;
        if (span.ok() && span.value() == stride) {
            if (!product.ok()) return overflow();
            return at(origin, strided_node(product.value(), node.stride, node.child));
        }
    }
    return at(origin, strided_node(count, stride, child.node()));
}

Result<Layout> indexed(const IndexedSpec& spec, const Layout& child) {
    SHEAF_CHECK(check(spec));
    if (child.empty()) return Layout{};
    const std::int64_t origin = child.origin().value;
    const std::int64_t size = child.size().value;
    if (is_bytes(child.node()) && (spec.stride == size || single(spec.repetitions))) {
        const IndexedSpec plain{spec.displacements, spec.repetitions, 1};
        SHEAF_TRY(const Blocks blocks, collect(plain, {origin, size, true}));
        return from_blocks(blocks, 1, bytes_node(1));
    }
    SHEAF_TRY(const Blocks blocks, collect(spec, {origin, 1, !single(spec.repetitions)}));
    return from_blocks(blocks, spec.stride, child.node());
}

Result<Layout> structure(std::span<const Part> parts) {
    StructItems items;
    items.reserve(parts.size());
    for (const Part& part : parts) SHEAF_CHECK(append_part(items, part));
    if (items.empty()) return Layout{};
    const bool plain = all_bytes(items);
    if (!plain && !all_equal(items)) return unlike_parts(items);
    Blocks blocks;
    blocks.reserve(items.size());
    for (const StructItem& item : items) {
        blocks.push_back({item.displacement, plain ? item.node->shape.size : 1});
    }
    return from_blocks(blocks, plain ? 1 : 0, plain ? bytes_node(1) : items.front().node);
}

Result<Layout> shifted(ByteOffset displacement, const Layout& child) {
    if (child.empty()) return Layout{};
    const Checked origin = Checked{displacement.value} + child.origin().value;
    if (!origin.ok()) return overflow();
    return at(origin.value(), child.node());
}

}  // namespace sheaf::view
