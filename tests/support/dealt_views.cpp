// SPDX-License-Identifier: BSD-3-Clause
#include "support/dealt_views.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"
#include "view/cursor.h"

namespace sheaf::testing {

namespace {

std::vector<std::int64_t> offsets_of(const view::Layout& layout) {
    std::vector<std::int64_t> offsets;
    for (view::Cursor cursor(layout); !cursor.at_end();) {
        const view::Piece piece = cursor.piece();
        for (std::int64_t i = 0; i < piece.length.value; ++i)
            offsets.push_back(piece.offset.value + i);
        cursor.advance(piece.length);
    }
    return offsets;
}

view::Layout blocks(const std::vector<std::int64_t>& places, std::int64_t length) {
    const view::IndexedSpec spec{places, {}, 0};
    return view::indexed(spec, view::bytes(length).value()).value();
}

std::vector<KnownView> segments(int ranks, Random& random) {
    const std::int64_t length = random.in(1, 300);
    const std::int64_t displacement = random.in(0, 50);
    std::vector<KnownView> views;
    for (int rank = 0; rank < ranks; ++rank) {
        const auto layout = view::shifted({rank * length}, view::bytes(length).value()).value();
        views.push_back(known_view(displacement, layout, ranks * length));
    }
    return views;
}

std::vector<KnownView> vectors(int ranks, Random& random) {
    const std::int64_t block = random.in(1, 20);
    const std::int64_t count = random.in(1, 12);
    const std::int64_t displacement = random.in(0, 50);
    std::vector<KnownView> views;
    for (int rank = 0; rank < ranks; ++rank) {
        const auto row = view::strided(count, ranks * block, view::bytes(block).value()).value();
        views.push_back(known_view(displacement + rank * block, row, count * ranks * block));
    }
    return views;
}

std::vector<KnownView> subarrays(int ranks, Random& random) {
    const std::int64_t columns = random.in(1, 3);
    const std::int64_t width = random.in(1, 16);
    const std::int64_t height = random.in(1, 6);
    const std::int64_t rows = (ranks + columns - 1) / columns;
    const std::int64_t line = columns * width + random.in(0, 5);
    const std::int64_t extent = rows * height * line + random.in(0, 9);
    std::vector<KnownView> views;
    for (int rank = 0; rank < ranks; ++rank) {
        const std::int64_t corner = (rank / columns) * height * line + (rank % columns) * width;
        const auto block = view::strided(height, line, view::bytes(width).value()).value();
        views.push_back(known_view(0, view::shifted({corner}, block).value(), extent));
    }
    return views;
}

std::vector<KnownView> indexed(int ranks, Random& random, bool shared) {
    const std::int64_t block = random.in(1, 24);
    const std::int64_t count = random.in(1, 40);
    const std::int64_t displacement = random.in(0, 50);
    std::vector<std::vector<std::int64_t>> places(static_cast<std::size_t>(ranks));
    for (std::int64_t i = 0; i < count; ++i) {
        // Owner `ranks` is nobody: a hole.
        const std::int64_t owner = random.in(0, ranks);
        for (std::int64_t rank = 0; rank < ranks; ++rank) {
            if (shared ? random.one_in(2) : owner == rank)
                places[static_cast<std::size_t>(rank)].push_back(i * block);
        }
    }
    std::vector<KnownView> views;
    for (const auto& of_rank : places)
        views.push_back(known_view(displacement, blocks(of_rank, block), count * block));
    return views;
}

}  // namespace

std::int64_t KnownView::offset_of(std::int64_t data_byte) const {
    const auto size = std::ssize(tile);
    SHEAF_ASSERT(size > 0 && data_byte >= 0);
    return displacement + data_byte / size * extent +
           tile[static_cast<std::size_t>(data_byte % size)];
}

std::string KnownView::text() const {
    return fmt::format("displacement {}, filetype {} with extent {}", displacement,
                       view::to_string(view.filetype().layout), extent);
}

KnownView known_view(std::int64_t displacement, const view::Layout& layout, std::int64_t extent) {
    const view::ViewType etype{view::bytes(1).value(), 1};
    auto made = view::FileView::make({displacement}, etype, {layout, extent}, false);
    SHEAF_ASSERT(made.ok());
    return {std::move(made).value(), displacement, extent, offsets_of(layout)};
}

std::vector<KnownView> deal_views(Deal deal, int ranks, Random& random) {
    switch (deal) {
        case Deal::segments:
            return segments(ranks, random);
        case Deal::vectors:
            return vectors(ranks, random);
        case Deal::subarrays:
            return subarrays(ranks, random);
        case Deal::indexed:
            return indexed(ranks, random, false);
        case Deal::shared_bytes:
            return indexed(ranks, random, true);
    }
    return {};
}

GuardedMemory::GuardedMemory(std::int64_t count, Random& random) {
    const std::int64_t margin = random.in(0, 8);
    const std::int64_t block =
        random.one_in(2) ? std::max<std::int64_t>(count, 1) : random.in(1, 10);
    const std::int64_t stride = block + random.in(0, 7);
    const auto whole = view::strided(count / block, stride, view::bytes(block).value()).value();
    const std::vector<view::Part> parts{
        {{margin}, whole}, {{margin + count / block * stride}, view::bytes(count % block).value()}};
    layout_ = view::structure(parts).value();
    for (const std::int64_t offset : offsets_of(layout_))
        places_.push_back(static_cast<std::size_t>(offset));
    SHEAF_ASSERT(std::ssize(places_) == count);
    bytes_.assign(static_cast<std::size_t>(margin + (count / block + 1) * stride + margin), kGuard);
}

void GuardedMemory::fill(std::span<const std::byte> data) {
    SHEAF_ASSERT(data.size() == places_.size());
    for (std::size_t i = 0; i < data.size(); ++i) bytes_[places_[i]] = data[i];
}

Bytes GuardedMemory::data() const {
    Bytes data;
    for (const std::size_t place : places_) data.push_back(bytes_[place]);
    return data;
}

::testing::AssertionResult GuardedMemory::guards_untouched() const {
    Bytes expected(bytes_.size(), kGuard);
    for (const std::size_t place : places_) expected[place] = bytes_[place];
    return same_bytes(expected, bytes_);
}

}  // namespace sheaf::testing
