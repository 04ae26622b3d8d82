// SPDX-License-Identifier: BSD-3-Clause

/// The travelling form of layouts: one byte for the kind of a node, then numbers of seven bits per
/// byte, low bits first. Signed numbers are zigzag coded, displacements are differences.
///
///     layout    = 0 | 1 origin node
///     node      = 1 size | 2 count stride node | 3 n displacement{n-1} node
///               | 4 n displacement{n-1} repetitions{n} stride node | 5 n node (displacement
///               node){n-1}

#include <limits>
#include <utility>

#include "view/checked.h"
#include "view/layout.h"

namespace sheaf::view {

namespace {

constexpr std::uint64_t kLowBits = 0x7F;
constexpr std::uint64_t kMore = 0x80;
constexpr std::uint8_t kNothing = 0;
constexpr std::uint8_t kSomething = 1;

class Writer {
public:
    void octet(std::uint8_t value) { bytes_.push_back(static_cast<std::byte>(value)); }
    void natural(std::uint64_t value) {
        while (value > kLowBits) {
            octet(static_cast<std::uint8_t>((value & kLowBits) | kMore));
            value >>= 7U;
        }
        octet(static_cast<std::uint8_t>(value));
    }
    void count(std::int64_t value) { natural(static_cast<std::uint64_t>(value)); }
    void integer(std::int64_t value) {
        const auto bits = static_cast<std::uint64_t>(value);
        natural((bits << 1U) ^ (value < 0 ? ~std::uint64_t{0} : 0));
    }
    void displacement(const Node& node, std::size_t i) {
        // Modulo 2^64, as the reader adds them up again: no difference overflows.
        integer(static_cast<std::int64_t>(static_cast<std::uint64_t>(node.displacements[i]) -
                                          static_cast<std::uint64_t>(node.displacements[i - 1])));
    }
    void displacements(const Node& node) {
        count(node.count);
        for (std::size_t i = 1; i < node.displacements.size(); ++i) displacement(node, i);
    }
    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

void write(Writer& writer, const Node& node) {
    writer.octet(static_cast<std::uint8_t>(node.kind));
    switch (node.kind) {
        case NodeKind::bytes:
            return writer.count(node.shape.size);
        case NodeKind::strided:
            writer.count(node.count);
            writer.integer(node.stride);
            return write(writer, *node.child);
        case NodeKind::indexed:
            writer.displacements(node);
            return write(writer, *node.child);
        case NodeKind::blocks:
            writer.displacements(node);
            for (std::size_t i = 0; i < node.displacements.size(); ++i) {
                writer.count(node.repetitions(i));
            }
            writer.integer(node.stride);
            return write(writer, *node.child);
        case NodeKind::structure:
            writer.count(node.count);
            for (std::size_t i = 0; i < node.children.size(); ++i) {
                if (i > 0) writer.displacement(node, i);
                write(writer, *node.children[i]);
            }
    }
}

/// Reads what Writer wrote; after the first failure every answer is zero.
class Reader {
public:
    explicit Reader(std::span<const std::byte> buffer) : left_(buffer) {}

    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] bool finished() const { return ok_ && left_.empty(); }
    void fail() { ok_ = false; }

    std::uint8_t octet() {
        if (left_.empty()) fail();
        if (!ok_) return 0;
        const auto value = static_cast<std::uint8_t>(left_.front());
        left_ = left_.subspan(1);
        return value;
    }
    std::uint64_t natural() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::uint64_t next = octet();
            const std::uint64_t part = (next & kLowBits) << shift;
            if (part >> shift != (next & kLowBits)) fail();
            value |= part;
            if ((next & kMore) == 0) return ok_ ? value : 0;
        }
        fail();
        return 0;
    }
    std::int64_t count() {
        const std::uint64_t value = natural();
        if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) fail();
        return ok_ ? static_cast<std::int64_t>(value) : 0;
    }
    std::int64_t integer() {
        const std::uint64_t bits = natural();
        return static_cast<std::int64_t>((bits >> 1U) ^ ((bits & 1U) != 0 ? ~std::uint64_t{0} : 0));
    }
    /// A number of entries of at least one byte each: no more than there are bytes left.
    std::size_t entries() {
        const std::uint64_t value = natural();
        if (value < 2 || value > left_.size()) fail();
        return ok_ ? static_cast<std::size_t>(value) : 0;
    }
    std::vector<std::int64_t> displacements() {
        std::vector<std::int64_t> all(entries());
        for (std::size_t i = 1; i < all.size(); ++i) all[i] = after(all[i - 1]);
        return all;
    }
    std::int64_t after(std::int64_t previous) {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(previous) +
                                         static_cast<std::uint64_t>(integer()));
    }

private:
    std::span<const std::byte> left_;
    bool ok_ = true;
};

Status malformed() {
    return {Code::argument, "a received layout is malformed"};
}

Result<Layout> read(Reader& reader, int depth);

Result<Layout> read_indexed(Reader& reader, int depth, bool with_lengths) {
    const std::vector<std::int64_t> displacements = reader.displacements();
    std::vector<std::int64_t> repetitions(with_lengths ? displacements.size() : 0);
    for (std::int64_t& count : repetitions) count = reader.count();
    const std::int64_t stride = with_lengths ? reader.integer() : 0;
    if (!reader.ok()) return malformed();
    SHEAF_TRY(const Layout child, read(reader, depth + 1));
    return indexed({displacements, repetitions, stride}, child);
}

Result<Layout> read_structure(Reader& reader, int depth) {
    const std::size_t count = reader.entries();
    std::vector<Part> parts;
    std::int64_t displacement = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (i > 0) displacement = reader.after(displacement);
        SHEAF_TRY(Layout child, read(reader, depth + 1));
        parts.push_back({{displacement}, std::move(child)});
    }
    if (!reader.ok()) return malformed();
    return structure(parts);
}

Result<Layout> read(Reader& reader, int depth) {
    if (depth > kMaxDepth || !reader.ok()) return malformed();
    const std::uint8_t kind = reader.octet();
    if (kind == static_cast<std::uint8_t>(NodeKind::bytes)) {
        const std::int64_t size = reader.count();
        if (size == 0) return malformed();
        return bytes(size);
    }
    if (kind == static_cast<std::uint8_t>(NodeKind::strided)) {
        const std::int64_t count = reader.count();
        const std::int64_t stride = reader.integer();
        SHEAF_TRY(const Layout child, read(reader, depth + 1));
        return strided(count, stride, child);
    }
    if (kind == static_cast<std::uint8_t>(NodeKind::indexed)) {
        return read_indexed(reader, depth, false);
    }
    if (kind == static_cast<std::uint8_t>(NodeKind::blocks)) {
        return read_indexed(reader, depth, true);
    }
    if (kind == static_cast<std::uint8_t>(NodeKind::structure)) {
        return read_structure(reader, depth);
    }
    return malformed();
}

Result<Layout> read_all(Reader& reader) {
    const std::uint8_t first = reader.octet();
    if (first == kNothing && reader.finished()) return Layout{};
    if (first != kSomething) return malformed();
    const ByteOffset origin{reader.integer()};
    SHEAF_TRY(const Layout layout, read(reader, 1));
    if (!reader.finished()) return malformed();
    return shifted(origin, layout);
}

}  // namespace

std::vector<std::byte> serialise(const Layout& layout) {
    Writer writer;
    writer.octet(layout.empty() ? kNothing : kSomething);
    if (!layout.empty()) {
        writer.integer(layout.origin().value);
        write(writer, *layout.root());
    }
    return writer.take();
}

Result<Layout> deserialise(std::span<const std::byte> buffer) {
    Reader reader{buffer};
    Result<Layout> layout = read_all(reader);
    if (layout.ok()) return layout;
    return Status{Code::argument, std::string{layout.status().text()}};
}

}  // namespace sheaf::view
