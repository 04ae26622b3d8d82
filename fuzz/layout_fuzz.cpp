// SPDX-License-Identifier: BSD-3-Clause

/// Any bytes as a layout that another rank sent: refused, or sound in every respect.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/assert.h"
#include "view/cursor.h"
#include "view/layout.h"

namespace {

using sheaf::ByteCount;
using sheaf::ByteOffset;
using sheaf::view::Cursor;
using sheaf::view::Layout;
using sheaf::view::Piece;

constexpr int kSteps = 200;

void check_round_trip(const Layout& layout) {
    const auto bytes = serialise(layout);
    const auto again = sheaf::view::deserialise(bytes);
    SHEAF_ASSERT(again.ok() && again.value() == layout);
    SHEAF_ASSERT(again.value().hash() == layout.hash());
}

/// Every piece lies within the bounds, and looking it up finds it again.
void check_walk(const Layout& layout, ByteCount from) {
    Cursor cursor{layout, from, layout.size()};
    for (int step = 0; step < kSteps && !cursor.at_end(); ++step) {
        const Piece piece = cursor.piece();
        SHEAF_ASSERT(piece.length.value > 0);
        SHEAF_ASSERT(layout.bounds().contains({piece.offset, piece.offset + piece.length}));
        const Cursor sought{layout, cursor.position(), layout.size()};
        SHEAF_ASSERT(sought.piece() == piece);
        if (layout.monotone() && !layout.may_overlap()) {
            SHEAF_ASSERT(data_before(layout, piece.offset) == cursor.position());
        }
        cursor.advance(piece.length);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const auto layout = sheaf::view::deserialise(std::as_bytes(std::span{bytes, size}));
    if (!layout.ok()) return 0;
    check_round_trip(layout.value());
    check_walk(layout.value(), {});
    check_walk(layout.value(), {layout.value().size().value / 2});
    return 0;
}
