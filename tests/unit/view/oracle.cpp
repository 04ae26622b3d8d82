// SPDX-License-Identifier: BSD-3-Clause
#include "oracle.h"

#include <algorithm>

namespace sheaf::view::testing {

namespace {

void append(Offsets& all, const Offsets& bytes, std::int64_t shift) {
    for (const std::int64_t offset : bytes) all.push_back(offset + shift);
}

/// Where the children of a sample go: freely, or each after the end of the one before.
class Placement {
public:
    Placement(Draw& draw, bool ordered) : draw_(draw), ordered_(ordered) {}

    /// A displacement for `bytes`; often right behind the one before.
    std::int64_t place(const Offsets& bytes) {
        if (!ordered_ && !draw_.one_in(4)) return draw_.in(-300, 300);
        const std::int64_t gap = draw_.one_in(2) ? 0 : draw_.in(0, 20);
        const std::int64_t low = bytes.empty() ? 0 : *std::min_element(bytes.begin(), bytes.end());
        const std::int64_t high =
            bytes.empty() ? 0 : *std::max_element(bytes.begin(), bytes.end()) + 1;
        const std::int64_t displacement = end_ + gap - low;
        end_ = displacement + high;
        return displacement;
    }

    /// A stride for repetitions of `bytes`.
    std::int64_t stride(const Offsets& bytes) {
        if (!ordered_ && draw_.one_in(2)) return draw_.in(-40, 40);
        if (bytes.empty()) return draw_.in(0, 10);
        const auto [low, high] = std::minmax_element(bytes.begin(), bytes.end());
        return *high + 1 - *low + (draw_.one_in(2) ? 0 : draw_.in(0, 9));
    }

private:
    Draw& draw_;
    bool ordered_;
    std::int64_t end_ = 0;
};

Sample sample(Draw& draw, int levels, bool ordered);

Sample leaf(Draw& draw) {
    const std::int64_t size = draw.one_in(12) ? 0 : draw.in(1, 9);
    Sample made{bytes(size).value(), {}};
    for (std::int64_t i = 0; i < size; ++i) made.bytes.push_back(i);
    return made;
}

Sample strided_sample(Draw& draw, int levels, bool ordered) {
    const Sample child = sample(draw, levels - 1, ordered);
    Placement placement{draw, ordered};
    const std::int64_t count = draw.in(0, 5);
    const std::int64_t stride = placement.stride(child.bytes);
    return {strided(count, stride, child.layout).value(), tiled(child.bytes, count, stride)};
}

Sample indexed_sample(Draw& draw, int levels, bool ordered) {
    const Sample child = sample(draw, levels - 1, ordered);
    Placement placement{draw, ordered};
    const std::int64_t stride = placement.stride(child.bytes);
    const bool with_lengths = !draw.one_in(3);
    const bool regular = draw.one_in(4);
    Offsets displacements;
    Offsets lengths;
    Sample made;
    const std::int64_t gap = draw.in(60, 90);
    const std::int64_t count = draw.in(0, 6);
    for (std::int64_t i = 0; i < count; ++i) {
        lengths.push_back(with_lengths ? draw.in(0, regular ? 1 : 4) : 1);
        const Offsets block = tiled(child.bytes, lengths.back(), stride);
        displacements.push_back(regular && !ordered ? i * gap : placement.place(block));
        append(made.bytes, block, displacements.back());
    }
    if (!with_lengths) lengths.clear();
    made.layout = indexed({displacements, lengths, stride}, child.layout).value();
    return made;
}

Sample struct_sample(Draw& draw, int levels, bool ordered) {
    Placement placement{draw, ordered};
    std::vector<Part> parts;
    Sample made;
    const bool alike = draw.one_in(4);
    Sample child = sample(draw, levels - 1, ordered);
    const std::int64_t count = draw.in(0, 5);
    for (std::int64_t i = 0; i < count; ++i) {
        if (!alike) child = sample(draw, levels - 1, ordered);
        const std::int64_t displacement = placement.place(child.bytes);
        parts.push_back({{displacement}, child.layout});
        append(made.bytes, child.bytes, displacement);
    }
    made.layout = structure(parts).value();
    return made;
}

Sample shifted_sample(Draw& draw, int levels, bool ordered) {
    Sample child = sample(draw, levels - 1, ordered);
    const std::int64_t shift = draw.in(ordered ? 0 : -100, 100);
    Offsets moved;
    append(moved, child.bytes, shift);
    return {shifted({shift}, child.layout).value(), moved};
}

Sample sample(Draw& draw, int levels, bool ordered) {
    Sample made;
    do {
        if (levels <= 1) return leaf(draw);
        switch (draw.in(0, 7)) {
            case 0:
                made = leaf(draw);
                break;
            case 1:
                made = shifted_sample(draw, levels, ordered);
                break;
            case 2:
            case 3:
                made = strided_sample(draw, levels, ordered);
                break;
            case 4:
            case 5:
                made = indexed_sample(draw, levels, ordered);
                break;
            default:
                made = struct_sample(draw, levels, ordered);
        }
    } while (static_cast<std::int64_t>(made.bytes.size()) > kMostBytes);
    return made;
}

}  // namespace

Sample any_sample(Draw& draw, int levels) {
    return sample(draw, levels, false);
}

Sample file_sample(Draw& draw, int levels) {
    return sample(draw, levels, true);
}

Offsets tiled(const Offsets& bytes, std::int64_t count, std::int64_t stride) {
    Offsets all;
    for (std::int64_t i = 0; i < count; ++i) append(all, bytes, i * stride);
    return all;
}

Offsets walk_pieces(Cursor cursor) {
    Offsets bytes;
    while (!cursor.at_end()) {
        const Piece piece = cursor.piece();
        for (std::int64_t i = 0; i < piece.length.value; ++i) {
            bytes.push_back(piece.offset.value + i);
        }
        cursor.advance(piece.length);
    }
    return bytes;
}

Offsets walk_runs(Cursor cursor) {
    Offsets bytes;
    while (!cursor.at_end()) {
        const StridedRun run = cursor.strided_run();
        for (std::int64_t k = 0; k < run.count; ++k) {
            for (std::int64_t i = 0; i < run.length.value; ++i) {
                bytes.push_back(run.first.value + k * run.stride + i);
            }
        }
        cursor.advance(run.size());
    }
    return bytes;
}

Offsets slice(const Offsets& bytes, std::int64_t begin, std::int64_t end) {
    return {bytes.begin() + begin, bytes.begin() + end};
}

}  // namespace sheaf::view::testing
