// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Layout: which bytes a datatype names, and in which order, as a small tree.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/status.h"
#include "base/types.h"

namespace sheaf::view {

struct Node;
using NodePtr = std::shared_ptr<const Node>;

/// The data bytes of a datatype in typemap order: a sequence of pieces (contiguous byte ranges,
/// offsets relative to a buffer address or to a place in a file; negative ones are fine in memory).
///
/// A layout is an immutable tree in normal form, as small as the datatype's description: a subarray
/// of 10^12 pieces has as many nodes as one of ten. Lower bound and extent of the datatype do not
/// belong to it; they matter where layouts are repeated, and stand in the stride given then.
///
/// Copying shares the tree. All properties below are precomputed. Thread-compatible.
class Layout {
public:
    /// No bytes at all.
    Layout() = default;
    /// For builders: `node` with its first data byte at `origin`; null means no bytes.
    Layout(ByteOffset origin, NodePtr node);

    [[nodiscard]] bool empty() const { return node_ == nullptr; }
    /// Data bytes.
    [[nodiscard]] ByteCount size() const;
    /// True bounds: from the lowest byte to the one after the highest; {0, 0} when empty.
    [[nodiscard]] ByteRange bounds() const;
    /// Offset of the first data byte in typemap order.
    [[nodiscard]] ByteOffset origin() const { return origin_; }
    /// Contiguous pieces, counted after normalisation; INT64_MAX stands for "or more".
    [[nodiscard]] std::int64_t pieces() const;
    /// At most one piece.
    [[nodiscard]] bool contiguous() const;
    /// In typemap order the beginnings of the pieces never decrease, nor do their ends: what a
    /// filetype must fulfil, and what data_before() needs. Pieces may still overlap.
    [[nodiscard]] bool monotone() const;
    /// False only if no byte is named twice; exact for monotone layouts.
    [[nodiscard]] bool may_overlap() const;
    /// Levels of the tree; 0 when empty.
    [[nodiscard]] int depth() const;
    /// Structural: equal layouts have equal hashes, on all ranks.
    [[nodiscard]] std::uint64_t hash() const;

    /// Null when empty; the tree for those who walk it (cursor, serialisation).
    [[nodiscard]] const Node* root() const { return node_.get(); }
    [[nodiscard]] const NodePtr& node() const { return node_; }

    /// Structural equality of the normal forms.
    friend bool operator==(const Layout& a, const Layout& b);

private:
    ByteOffset origin_{};
    NodePtr node_;
};

/// What a node of the tree is. Values travel between ranks.
enum class NodeKind : std::uint8_t {
    bytes = 1,    // `size` bytes.
    strided = 2,  // `count` children, `stride` bytes apart.
    indexed = 3,  // One child per displacement.
    blocks = 4,   // Per displacement as many children as `first_child` says, `stride` bytes apart.
    structure = 5,  // Different children, each with its displacement.
};

/// Measures of a sequence of pieces. Offsets are relative to its first byte in typemap order.
struct Shape {
    std::int64_t size = 0;        // Data bytes, > 0.
    std::int64_t begin = 0;       // Lowest byte, <= 0.
    std::int64_t end = 0;         // After the highest byte, > 0.
    std::int64_t pieces = 1;      // Saturated at INT64_MAX.
    std::int64_t first_size = 0;  // Bytes of the first piece.
    std::int64_t last_begin = 0;  // Where the last piece begins.
    std::int64_t last_size = 0;   // Bytes of the last piece.
    bool monotone = true;
    bool may_overlap = false;
};

/// One node. Its first data byte is at offset 0, so that displacements begin with 0 and equal
/// shapes are equal nodes wherever they stand.
struct Node {
    NodeKind kind = NodeKind::bytes;
    std::int16_t depth = 1;
    Shape shape;
    std::uint64_t hash = 0;

    std::int64_t count = 0;   // strided: >= 2; else the number of displacements.
    std::int64_t stride = 0;  // strided, blocks.
    NodePtr child;            // strided, indexed, blocks.

    std::vector<std::int64_t> displacements;  // indexed, blocks, structure.
    std::vector<std::int64_t> first_child;    // blocks: children before block i; count + 1 values.
    std::vector<std::int64_t> first_data;     // structure: data bytes before child i; count + 1.
    std::vector<NodePtr> children;            // structure.

    /// Blocks of plain bytes (child is one byte, stride 1): each block is one piece.
    [[nodiscard]] bool byte_blocks() const {
        return kind == NodeKind::blocks && child->kind == NodeKind::bytes &&
               child->shape.size == 1 && stride == 1;
    }
    /// Children in block `index`.
    [[nodiscard]] std::int64_t repetitions(std::size_t index) const {
        return first_child[index + 1] - first_child[index];
    }
};

/// Equality of the trees.
[[nodiscard]] bool equal(const NodePtr& a, const NodePtr& b);

/// Deepest tree that builders make; a deeper one is Code::unsupported_operation.
inline constexpr int kMaxDepth = 256;

/// `count` bytes from offset 0. Fails with Code::count when negative.
[[nodiscard]] Result<Layout> bytes(std::int64_t count);

/// `child` repeated `count` times, `stride` bytes apart (any sign). Fails with Code::count when
/// `count` is negative, with Code::overflow when size or bounds leave 63 bits; so do all below.
[[nodiscard]] Result<Layout> strided(std::int64_t count, std::int64_t stride, const Layout& child);

/// At each displacement `repetitions[i]` times `child`, `stride` bytes apart. No repetitions given
/// means one each. Fails with Code::argument when the lengths of the lists differ.
struct IndexedSpec {
    std::span<const std::int64_t> displacements;
    std::span<const std::int64_t> repetitions;
    std::int64_t stride = 0;
};
[[nodiscard]] Result<Layout> indexed(const IndexedSpec& spec, const Layout& child);

/// Children of different shape, each at its displacement.
struct Part {
    ByteOffset displacement;
    Layout child;
};
[[nodiscard]] Result<Layout> structure(std::span<const Part> parts);

/// `child` moved by `displacement`.
[[nodiscard]] Result<Layout> shifted(ByteOffset displacement, const Layout& child);

/// One line for people: `4@0`, `strided(10, 16, 8)@32`, `indexed([0 8 24], 4)@0`; long lists are
/// cut with an ellipsis.
[[nodiscard]] std::string to_string(const Layout& layout);

/// Little-endian bytes that deserialise() turns into an equal layout, on any rank.
[[nodiscard]] std::vector<std::byte> serialise(const Layout& layout);

/// Trusts nothing: every length is checked before memory is taken, the depth is bounded, and the
/// result is built by the functions above. Fails with Code::argument on anything malformed.
[[nodiscard]] Result<Layout> deserialise(std::span<const std::byte> buffer);

/// Length of the longest beginning (in typemap order) of the data that lies before `offset`
/// altogether: for layouts without overlap, the data bytes before `offset`. The inverse is
/// Cursor::seek(). O(depth * log). Where pieces overlap, bytes after the prefix may lie before
/// `offset` again: good for counts at end of file, not for cutting a request at `offset`.
///
/// Requires: layout.monotone().
[[nodiscard]] ByteCount data_before(const Layout& layout, ByteOffset offset);

}  // namespace sheaf::view
