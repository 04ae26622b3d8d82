// SPDX-License-Identifier: BSD-3-Clause
#include "frameworks/fbtl/vector_transfer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

#include "support/bytes.h"

namespace sheaf::fbtl {
namespace {

using testing::failed_with;
using testing::succeeded;

constexpr std::int64_t kGiB = std::int64_t{1} << 30;

/// One call as it arrived. Memory is an address that nobody follows.
struct Call {
    std::size_t vectors;
    std::int64_t bytes;
    std::int64_t at;
    std::uintptr_t memory;
    friend bool operator==(const Call&, const Call&) = default;
};

std::byte* address(std::int64_t value) {
    return reinterpret_cast<std::byte*>(value);
}

std::int64_t bytes_of(std::span<const iovec> memory) {
    std::int64_t total = 0;
    for (const iovec& vector : memory) total += static_cast<std::int64_t>(vector.iov_len);
    return total;
}

/// A system that answers from a list, then moves everything.
class FakeSystem {
public:
    explicit FakeSystem(std::vector<std::int64_t> answers = {}) : answers_(std::move(answers)) {}

    std::int64_t operator()(std::span<const iovec> memory, ByteOffset at) {
        const std::int64_t bytes = bytes_of(memory);
        calls.push_back({memory.size(), bytes, at.value,
                         reinterpret_cast<std::uintptr_t>(memory.front().iov_base)});
        if (calls.size() > answers_.size()) return bytes;
        return std::min(bytes, answers_[calls.size() - 1]);
    }
    [[nodiscard]] VectorCall call() { return std::ref(*this); }

    std::vector<Call> calls;

private:
    std::vector<std::int64_t> answers_;
};

/// Memory at 1000 + file offset * 2, so that nothing goes on in memory.
TransferPiece piece(std::int64_t offset, std::int64_t length) {
    return {address(1000 + 2 * offset), {length}, {offset}};
}

TEST(VectorTransfer, NothingIsNoCall) {
    FakeSystem system;
    const Transferred moved = transfer_pieces({}, "read", system.call());
    EXPECT_TRUE(succeeded(moved.status));
    EXPECT_EQ(moved.bytes, ByteCount{});
    EXPECT_TRUE(system.calls.empty());
}

TEST(VectorTransfer, NeighboursInTheFileShareACall) {
    FakeSystem system;
    const std::vector<TransferPiece> pieces{piece(0, 4), piece(4, 6), piece(11, 1), piece(12, 2)};
    const Transferred moved = transfer_pieces(pieces, "write", system.call());
    EXPECT_TRUE(succeeded(moved.status));
    EXPECT_EQ(moved.bytes, ByteCount{13});
    EXPECT_EQ(system.calls, (std::vector<Call>{{2, 10, 0, 1000}, {2, 3, 11, 1022}}));
}

TEST(VectorTransfer, OverlapsAndStepsBackAreCallsOfTheirOwn) {
    FakeSystem system;
    const std::vector<TransferPiece> pieces{piece(0, 8), piece(4, 8), piece(2, 2)};
    EXPECT_EQ(transfer_pieces(pieces, "read", system.call()).bytes, ByteCount{18});
    EXPECT_EQ(system.calls.size(), 3U);
}

TEST(VectorTransfer, ShortTransfersGoOnWhereTheyStopped) {
    FakeSystem system({1, 5, 4});
    const std::vector<TransferPiece> pieces{piece(100, 4), piece(104, 6), piece(110, 2)};
    const Transferred moved = transfer_pieces(pieces, "write", system.call());
    EXPECT_TRUE(succeeded(moved.status));
    EXPECT_EQ(moved.bytes, ByteCount{12});
    EXPECT_EQ(system.calls,
              (std::vector<Call>{
                  {3, 12, 100, 1200}, {3, 11, 101, 1201}, {2, 6, 106, 1210}, {1, 2, 110, 1220}}));
}

TEST(VectorTransfer, InterruptedCallsAreRepeated) {
    FakeSystem system({-EINTR, -EAGAIN, 3, -EINTR});
    const std::vector<TransferPiece> pieces{piece(0, 8)};
    const Transferred moved = transfer_pieces(pieces, "read", system.call());
    EXPECT_TRUE(succeeded(moved.status));
    EXPECT_EQ(moved.bytes, ByteCount{8});
    EXPECT_EQ(system.calls.size(), 5U);
    EXPECT_EQ(system.calls.back(), (Call{1, 5, 3, 1003}));
}

TEST(VectorTransfer, ZeroEndsAReadAndFailsAWrite) {
    const std::vector<TransferPiece> pieces{piece(0, 8), piece(20, 8)};
    FakeSystem at_end({8, 3, 0});
    const Transferred read = transfer_pieces(pieces, "read", at_end.call());
    EXPECT_TRUE(succeeded(read.status));
    EXPECT_EQ(read.bytes, ByteCount{11});

    FakeSystem full({8, 3, 0});
    const Transferred write = transfer_pieces(pieces, "write", full.call());
    EXPECT_TRUE(failed_with(Code::no_space, write.status));
    EXPECT_EQ(write.bytes, ByteCount{11});
    EXPECT_NE(write.status.text().find("write of bytes [23, 28)"), std::string::npos)
        << write.status.text();
}

TEST(VectorTransfer, AFailureKeepsThePrefixAndSaysTheRange) {
    FakeSystem system({8, 2, -EIO});
    const std::vector<TransferPiece> pieces{piece(0, 8), piece(20, 8), piece(40, 8)};
    const Transferred moved = transfer_pieces(pieces, "read", system.call());
    EXPECT_TRUE(failed_with(Code::io, moved.status));
    EXPECT_EQ(moved.status.system_error(), EIO);
    EXPECT_EQ(moved.bytes, ByteCount{10});
    EXPECT_EQ(system.calls.size(), 3U);
    EXPECT_NE(moved.status.text().find("read of bytes [22, 28)"), std::string::npos)
        << moved.status.text();
}

TEST(VectorTransfer, ManyPiecesAreCutAtTheLimitOfTheSystem) {
    FakeSystem system;
    std::vector<TransferPiece> pieces;
    for (std::int64_t i = 0; i < 2500; ++i) pieces.push_back(piece(3 * i, 3));
    const Transferred moved = transfer_pieces(pieces, "write", system.call());
    EXPECT_EQ(moved.bytes, ByteCount{7500});
    ASSERT_EQ(system.calls.size(), 3U);
    EXPECT_EQ(system.calls[0].vectors, kMostVectors);
    EXPECT_EQ(system.calls[1], (Call{kMostVectors, 3072, 3072, 1000 + 2 * 3072}));
    EXPECT_EQ(system.calls[2].vectors, 2500 - 2 * kMostVectors);
}

TEST(VectorTransfer, LargePiecesAreCutToWhatTheSystemMovesAtOnce) {
    FakeSystem system({kMostBytes.value, 7});
    const std::vector<TransferPiece> pieces{piece(0, kGiB), piece(kGiB, 5 * kGiB)};
    const Transferred moved = transfer_pieces(pieces, "read", system.call());
    EXPECT_TRUE(succeeded(moved.status));
    EXPECT_EQ(moved.bytes, ByteCount{6 * kGiB});
    std::int64_t expected_at = 0;
    for (std::size_t i = 0; i < system.calls.size(); ++i) {
        EXPECT_LE(system.calls[i].bytes, kMostBytes.value);
        EXPECT_EQ(system.calls[i].at, expected_at) << "call " << i;
        expected_at += i == 1 ? 7 : system.calls[i].bytes;
    }
    EXPECT_EQ(expected_at, 6 * kGiB);
    // Inside the second piece, memory goes on where the file does.
    EXPECT_EQ(system.calls[1].memory,
              static_cast<std::uintptr_t>(1000 + 2 * kGiB + kMostBytes.value - kGiB));
}

}  // namespace
}  // namespace sheaf::fbtl
