// SPDX-License-Identifier: BSD-3-Clause
#include "view/zip.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

#include "oracle.h"
#include "view/pack.h"

namespace sheaf::view {
namespace {

using testing::any_sample;
using testing::Draw;
using testing::holds;
using testing::Offsets;
using testing::Sample;

constexpr std::int64_t kBase = 1'000'000;

std::byte* base() {
    return address(nullptr, {kBase});
}

/// All pieces, produced in batches of `batch`.
std::vector<TransferPiece> all_pieces(Zip zip, std::size_t batch) {
    std::vector<TransferPiece> pieces;
    std::vector<TransferPiece> some(batch);
    while (const std::size_t count = zip.next(some)) {
        pieces.insert(pieces.end(), some.begin(), some.begin() + static_cast<long>(count));
    }
    EXPECT_TRUE(zip.at_end());
    return pieces;
}

TEST(Zip, PairsRunsOfOneLength) {
    const Layout memory = strided(4, 32, bytes(8).value()).value();
    const Layout file = strided(4, 100, bytes(8).value()).value();
    const auto pieces = all_pieces(Zip{base(), Cursor{memory}, Cursor{file}}, 3);
    ASSERT_EQ(pieces.size(), 4U);
    EXPECT_EQ(pieces[3], (TransferPiece{address(base(), {96}), {8}, {300}}));
}

TEST(Zip, PiecesThatGoOnInBothAreOne) {
    const Layout memory = bytes(24).value();
    const std::vector<Part> parts{{{0}, strided(2, 8, bytes(4).value()).value()},
                                  {{12}, bytes(16).value()}};
    const Layout file = structure(parts).value();
    const auto pieces = all_pieces(Zip{base(), Cursor{memory}, Cursor{file}}, 8);
    ASSERT_EQ(pieces.size(), 2U);
    EXPECT_EQ(pieces[0], (TransferPiece{base(), {4}, {0}}));
    EXPECT_EQ(pieces[1], (TransferPiece{address(base(), {4}), {20}, {8}}));
}

TEST(Zip, PairsEveryByte) {
    EXPECT_TRUE(holds([](Draw& draw) {
        const Sample memory = any_sample(draw, 5);
        const Sample file = any_sample(draw, 5);
        const auto batch = static_cast<std::size_t>(draw.in(1, 9));
        const auto pieces =
            all_pieces(Zip{base(), Cursor{memory.layout}, Cursor{file.layout}}, batch);
        std::size_t at = 0;
        for (const TransferPiece& piece : pieces) {
            for (std::int64_t i = 0; i < piece.length.value; ++i, ++at) {
                RC_ASSERT(piece.memory + i == address(base(), {memory.bytes[at]}));
                RC_ASSERT(piece.file_offset.value + i == file.bytes[at]);
            }
        }
        RC_ASSERT(at == std::min(memory.bytes.size(), file.bytes.size()));
    }));
}

TEST(Zip, OneBatchIsFullyMerged) {
    EXPECT_TRUE(holds([](Draw& draw) {
        const Sample memory = any_sample(draw, 5);
        const Sample file = any_sample(draw, 5);
        const auto pieces =
            all_pieces(Zip{base(), Cursor{memory.layout}, Cursor{file.layout}}, 10'000);
        for (std::size_t i = 1; i < pieces.size(); ++i) {
            const TransferPiece& last = pieces[i - 1];
            RC_ASSERT(last.memory + last.length.value != pieces[i].memory ||
                      last.file_offset + last.length != pieces[i].file_offset);
        }
    }));
}

}  // namespace
}  // namespace sheaf::view
