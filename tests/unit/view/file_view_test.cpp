// SPDX-License-Identifier: BSD-3-Clause
#include "view/file_view.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "oracle.h"

namespace sheaf::view {
namespace {

using testing::Draw;
using testing::file_sample;
using testing::holds;
using testing::Offsets;
using testing::Sample;
using testing::slice;
using testing::walk_pieces;

ViewType plain(std::int64_t size) {
    return {bytes(size).value(), size};
}

ViewType comb(std::int64_t count, std::int64_t stride, std::int64_t size) {
    return {strided(count, stride, bytes(size).value()).value(), count * stride};
}

Code refusal(std::int64_t displacement, const ViewType& etype, const ViewType& filetype,
             bool writable = true) {
    return FileView::make({displacement}, etype, filetype, writable).status().code();
}

TEST(FileView, DefaultShowsAllBytes) {
    const FileView view;
    EXPECT_TRUE(view.statistics().contiguous);
    EXPECT_EQ(view.byte_offset({123456789012}).value().value, 123456789012);
    EXPECT_EQ(view.end_position({77}).value, 77);
    EXPECT_EQ(view.range_of({5}, {3}).value(), (ByteRange{{5}, {8}}));
    EXPECT_EQ(view.range_of({5}, {0}).value(), (ByteRange{}));
}

TEST(FileView, RefusesWhatTheStandardForbids) {
    const ViewType four = plain(4);
    EXPECT_EQ(refusal(0, four, plain(8)), Code::ok);
    EXPECT_EQ(refusal(-1, four, plain(8)), Code::argument);
    EXPECT_EQ(refusal(0, {Layout{}, 4}, four), Code::datatype);
    EXPECT_EQ(refusal(0, four, plain(6)), Code::datatype);
    EXPECT_EQ(refusal(0, four, {shifted({-4}, four.layout).value(), 4}), Code::datatype);
    EXPECT_EQ(refusal(0, four, {strided(2, -8, shifted({8}, four.layout).value()).value(), 16}),
              Code::datatype);
    const ViewType twice{strided(2, 0, four.layout).value(), 4};
    EXPECT_EQ(refusal(0, four, twice, true), Code::datatype);
    EXPECT_EQ(refusal(0, four, twice, false), Code::ok);
    EXPECT_EQ(refusal(0, four, {Layout{}, 0}), Code::ok);
}

TEST(FileView, HolesBelongToNoEtype) {
    // Four of eight bytes: data at [10, 14), [18, 22), ...
    const FileView view = FileView::make({10}, plain(2), comb(1, 8, 4), true).value();
    const FileView tiled = FileView::make({10}, plain(2), {bytes(4).value(), 8}, true).value();
    EXPECT_EQ(view.tiles(), tiled.tiles());
    EXPECT_EQ(view.byte_offset({0}).value().value, 10);
    EXPECT_EQ(view.byte_offset({1}).value().value, 12);
    EXPECT_EQ(view.byte_offset({2}).value().value, 18);
    EXPECT_EQ(view.byte_offset({-1}).status().code(), Code::argument);
    EXPECT_EQ(view.byte_offset({INT64_MAX}).status().code(), Code::overflow);
    const std::vector<std::pair<int, int>> ends{{0, 0},  {10, 0}, {11, 1}, {12, 1}, {13, 2},
                                                {14, 2}, {18, 2}, {19, 3}, {22, 4}};
    for (const auto& [size, etypes] : ends) {
        EXPECT_EQ(view.end_position({size}).value, etypes) << "file of " << size << " bytes";
    }
    EXPECT_EQ(view.range_of({3}, {2}).value(), (ByteRange{{13}, {19}}));
    EXPECT_DOUBLE_EQ(view.statistics().hole_ratio, 0.5);
    EXPECT_EQ(view.statistics().mean_piece, 4);
}

TEST(FileView, EmptyFiletypeShowsNothing) {
    const FileView view = FileView::make({0}, plain(4), {Layout{}, 0}, true).value();
    EXPECT_TRUE(view.visible().zero());
    EXPECT_EQ(view.end_position({100}).value, 0);
    EXPECT_TRUE(view.cursor({8}, {0}).value().at_end());
    EXPECT_EQ(view.cursor({0}, {4}).status().code(), Code::argument);
    EXPECT_EQ(view.byte_offset({0}).status().code(), Code::argument);
}

TEST(FileView, TilesThatInterleaveShowOne) {
    ViewType filetype = comb(2, 16, 4);
    filetype.extent = 4;
    const FileView view = FileView::make({0}, plain(4), filetype, false).value();
    EXPECT_EQ(view.visible().value, 8);
    EXPECT_TRUE(view.cursor({0}, {8}).ok());
    EXPECT_EQ(view.cursor({0}, {12}).status().code(), Code::argument);
}

TEST(FileView, ManyPiecesCostNothing) {
    const Layout row = strided(1'000'000, 16, bytes(8).value()).value();
    const Layout all = strided(1'000'000, 32'000'000, row).value();
    const FileView view = FileView::make({64}, plain(8), {all, 32'000'000'000'000}, true).value();
    EXPECT_EQ(view.byte_offset({1'000'000'000'000}).value().value, 32'000'000'000'064);
    EXPECT_EQ(view.end_position({32'000'000'000'064}).value, 1'000'000'000'000);
    EXPECT_EQ(view.statistics().pieces, 1'000'000'000'000);
}

TEST(FileView, ReachesTheEndOfTheNumbers) {
    const FileView view =
        FileView::make({INT64_MAX - 100}, plain(1), {bytes(1).value(), 1000}, true).value();
    EXPECT_EQ(view.visible().value, 1);
    const FileView bytes_only = FileView::make({100}, plain(3), plain(3), true).value();
    EXPECT_TRUE(bytes_only.statistics().contiguous);
    EXPECT_GE(bytes_only.visible().value, INT64_MAX - 103);
}

/// A view over `sample` tiled with a gap, and its first bytes.
struct Tiled {
    FileView view;
    Offsets bytes;
    std::int64_t extent;
};

Tiled tile(Draw& draw, const Sample& sample, std::int64_t etype) {
    const std::int64_t displacement = draw.in(0, 50);
    const std::int64_t extent = sample.layout.bounds().end.value + draw.in(0, 9);
    Offsets bytes = testing::tiled(sample.bytes, 4, extent);
    for (std::int64_t& at : bytes) at += displacement;
    return {FileView::make({displacement}, plain(etype), {sample.layout, extent}, true).value(),
            bytes, extent};
}

TEST(FileView, AgreesWithTheFlatList) {
    EXPECT_TRUE(holds([](Draw& draw) {
        const Sample sample = file_sample(draw, 4);
        const auto size = static_cast<std::int64_t>(sample.bytes.size());
        const std::int64_t etype = size % 2 == 0 ? 2 : 1;
        if (size == 0) return;
        const Tiled tiled = tile(draw, sample, etype);
        const std::int64_t total = 4 * size;
        const std::int64_t first = draw.in(0, total);
        const std::int64_t count = draw.in(0, total - first);
        RC_ASSERT(walk_pieces(tiled.view.cursor({first}, {count}).value()) ==
                  slice(tiled.bytes, first, first + count));
        const std::int64_t at = draw.in(0, total / etype - 1);
        RC_ASSERT(tiled.view.byte_offset({at}).value().value ==
                  tiled.bytes[static_cast<std::size_t>(at * etype)]);
        const std::int64_t end = draw.in(0, tiled.bytes.back());
        const auto before = std::count_if(tiled.bytes.begin(), tiled.bytes.end(),
                                          [=](std::int64_t byte) { return byte < end; });
        RC_ASSERT(tiled.view.data_before({end}).value == before);
        RC_ASSERT(tiled.view.end_position({end}).value == (before + etype - 1) / etype);
    }));
}

}  // namespace
}  // namespace sheaf::view
