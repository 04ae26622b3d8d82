// SPDX-License-Identifier: BSD-3-Clause
#include "view/cursor.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "oracle.h"

namespace sheaf::view {
namespace {

using testing::any_sample;
using testing::Draw;
using testing::holds;
using testing::Sample;
using testing::slice;
using testing::walk_pieces;
using testing::walk_runs;

TEST(Cursor, NothingIsAtEnd) {
    Cursor cursor{Layout{}};
    EXPECT_TRUE(cursor.at_end());
    cursor.advance({});
    cursor.seek({});
    EXPECT_TRUE(cursor.at_end());
}

TEST(Cursor, HandsOutWholeRuns) {
    Cursor cursor{strided(1000, 16, bytes(8).value()).value()};
    EXPECT_EQ(cursor.strided_run(), (StridedRun{{0}, {8}, 16, 1000}));
    cursor.advance({3});
    EXPECT_EQ(cursor.strided_run(), (StridedRun{{3}, {5}, 0, 1}));
    cursor.advance({5});
    EXPECT_EQ(cursor.strided_run(), (StridedRun{{16}, {8}, 16, 999}));
    cursor.advance({8 * 998});
    EXPECT_EQ(cursor.strided_run(), (StridedRun{{16 * 999}, {8}, 16, 1}));
    cursor.advance({8});
    EXPECT_TRUE(cursor.at_end());
    cursor.seek({8 * 10 + 1});
    EXPECT_EQ(cursor.piece(), (Piece{{161}, {7}}));
}

TEST(Cursor, EndOfTheWalkCutsPiecesAndRuns) {
    const Layout layout = strided(10, 16, bytes(8).value()).value();
    Cursor cursor{layout, {8}, {27}};
    EXPECT_EQ(cursor.strided_run(), (StridedRun{{16}, {8}, 16, 2}));
    cursor.advance({16});
    EXPECT_EQ(cursor.strided_run(), (StridedRun{{48}, {3}, 0, 1}));
    EXPECT_EQ(cursor.piece(), (Piece{{48}, {3}}));
    cursor.advance({3});
    EXPECT_TRUE(cursor.at_end());
    EXPECT_EQ(cursor.position().value, 27);
}

TEST(Cursor, SeeksInABillionTimesAThousandPieces) {
    const Layout row = strided(1'000'000, 16, bytes(8).value()).value();
    const Layout all = strided(1'000'000, 64'000'000, row).value();
    Cursor cursor{all};
    cursor.seek({7'999'999'999'999});
    EXPECT_EQ(cursor.piece(), (Piece{{999'999 * 64'000'000LL + 999'999 * 16LL + 7}, {1}}));
    EXPECT_EQ(data_before(all, cursor.piece().offset).value, 7'999'999'999'999);
    cursor.seek({8});
    cursor.advance({8'000'000});
    EXPECT_EQ(cursor.piece(), (Piece{{64'000'016}, {8}}));
}

TEST(Cursor, DeepTreesNeedFramesOnTheHeap) {
    Draw draw{7};
    Layout layout = strided(2, 16, bytes(8).value()).value();
    testing::Offsets flat{0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23};
    for (int level = 0; level < 14; ++level) {
        const std::int64_t gap = 1000 * (level + 1) + 3 * level * level;
        const std::vector<Part> parts{{{gap}, bytes(1).value()}, {{0}, layout}};
        layout = strided(1 + level % 2, gap * 2 + 7, structure(parts).value()).value();
        flat.insert(flat.begin(), gap);
        flat = testing::tiled(flat, 1 + level % 2, gap * 2 + 7);
    }
    ASSERT_GT(layout.depth(), 8);
    EXPECT_EQ(walk_pieces(Cursor{layout}), flat);
    const auto size = static_cast<std::int64_t>(flat.size());
    for (int i = 0; i < 50; ++i) {
        const std::int64_t begin = draw.in(0, size);
        const Cursor cursor{layout, {begin}, {size}};
        EXPECT_EQ(walk_runs(cursor), slice(flat, begin, size));
    }
}

TEST(Cursor, VisitsTheFlatList) {
    EXPECT_TRUE(holds([](Draw& draw) {
        const Sample sample = any_sample(draw, 5);
        RC_ASSERT(walk_pieces(Cursor{sample.layout}) == sample.bytes);
        RC_ASSERT(walk_runs(Cursor{sample.layout}) == sample.bytes);
    }));
}

TEST(Cursor, StartsAndStopsAnywhere) {
    EXPECT_TRUE(holds([](Draw& draw) {
        const Sample sample = any_sample(draw, 5);
        const auto size = static_cast<std::int64_t>(sample.bytes.size());
        for (int i = 0; i < 20; ++i) {
            const std::int64_t begin = draw.in(0, size);
            const std::int64_t end = draw.in(begin, size);
            const Cursor cursor{sample.layout, {begin}, {end}};
            RC_ASSERT(walk_pieces(cursor) == slice(sample.bytes, begin, end));
            RC_ASSERT(walk_runs(cursor) == slice(sample.bytes, begin, end));
        }
    }));
}

TEST(Cursor, AdvancesAndSeeksAtRandom) {
    EXPECT_TRUE(holds([](Draw& draw) {
        const Sample sample = any_sample(draw, 6);
        const auto size = static_cast<std::int64_t>(sample.bytes.size());
        Cursor cursor{sample.layout};
        for (int i = 0; i < 100; ++i) {
            if (draw.one_in(4)) {
                cursor.seek({draw.in(0, size)});
            } else {
                const std::int64_t most = draw.one_in(3) ? cursor.remaining().value : 12;
                cursor.advance({std::min(cursor.remaining().value, draw.in(0, most))});
            }
            const std::int64_t at = cursor.position().value;
            RC_ASSERT(cursor.at_end() == (at == size));
            if (at == size) continue;
            RC_ASSERT(cursor.piece().offset.value == sample.bytes[static_cast<std::size_t>(at)]);
        }
    }));
}

}  // namespace
}  // namespace sheaf::view
