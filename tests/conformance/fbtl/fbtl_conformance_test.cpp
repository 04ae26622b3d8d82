// SPDX-License-Identifier: BSD-3-Clause
//
// contracts/fbtl.h as tests, for every component, on files of the operating system.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/components.h"
#include "contracts/fbtl.h"
#include "frameworks/components.h"
#include "frameworks/fs/descriptor_file.h"
#include "platform/descriptor.h"
#include "support/bytes.h"
#include "support/dealt_views.h"
#include "support/scratch.h"

namespace sheaf::fbtl {
extern const Component kTemplate;

namespace {

using testing::Bytes;
using testing::contents;
using testing::failed_with;
using testing::patterned;
using testing::Random;
using testing::same_bytes;
using testing::Scratch;
using testing::succeeded;

constexpr std::byte kGuard{0xee};

/// Memory with room between pieces, and the pieces in it.
struct Pieces {
    Bytes memory;
    std::vector<std::int64_t> places;  // Of each piece in memory.
    std::vector<TransferPiece> list;

    void add(std::int64_t offset, std::int64_t length, std::int64_t room) {
        places.push_back(std::ssize(memory) + room);
        memory.resize(memory.size() + static_cast<std::size_t>(room + length + room), kGuard);
        list.push_back({nullptr, {length}, {offset}});
    }
    /// Once memory does not move any more.
    void settle() {
        for (std::size_t i = 0; i < list.size(); ++i) list[i].memory = memory.data() + places[i];
    }
    [[nodiscard]] std::int64_t bytes() const {
        return std::accumulate(list.begin(), list.end(), std::int64_t{0},
                               [](auto sum, const auto& p) { return sum + p.length.value; });
    }
};

/// Ascending pieces of up to `longest` bytes. Steps of 0 make them adjoin; negative ones overlap.
Pieces random_pieces(Random& random, int count, std::int64_t longest, bool overlapping) {
    Pieces pieces;
    std::int64_t at = random.in(0, 40);
    for (int i = 0; i < count; ++i) {
        const std::int64_t length = random.in(1, longest);
        pieces.add(at, length, random.one_in(2) ? 0 : random.in(1, 5));
        const std::int64_t step = random.one_in(2) ? 0 : random.in(1, 60);
        at += overlapping && random.one_in(3) ? random.in(0, length) : length + step;
    }
    pieces.settle();
    return pieces;
}

/// Memory as it must look when the first `moved` bytes came from `file`. What lies behind in the
/// pieces may be anything: it is taken over from `actual`.
Bytes expected_memory(const Pieces& pieces, const Bytes& file, std::int64_t moved) {
    Bytes expected(pieces.memory.size(), kGuard);
    for (std::size_t i = 0; i < pieces.list.size(); ++i) {
        const std::int64_t length = pieces.list[i].length.value;
        const std::int64_t good = std::clamp<std::int64_t>(moved, 0, length);
        const auto place = expected.begin() + pieces.places[i];
        std::copy_n(file.begin() + (good > 0 ? pieces.list[i].file_offset.value : 0), good, place);
        std::copy_n(pieces.memory.begin() + pieces.places[i] + good, length - good, place + good);
        moved -= good;
    }
    return expected;
}

/// Bytes of the longest prefix of the list that lies inside a file of this size.
std::int64_t prefix_inside(const Pieces& pieces, std::int64_t size) {
    std::int64_t total = 0;
    for (const TransferPiece& piece : pieces.list) {
        const std::int64_t inside =
            std::clamp<std::int64_t>(size - piece.file_offset.value, 0, piece.length.value);
        total += inside;
        if (inside < piece.length.value) break;
    }
    return total;
}

class ByteTransferTest : public ::testing::TestWithParam<const Component*> {
protected:
    /// Opens `path` and makes the component's transfer for it.
    ByteTransfer& open(const std::string& path, platform::OpenFlags flags) {
        auto descriptor = platform::open_path(path, flags, 0600);
        EXPECT_TRUE(succeeded(descriptor.status()));
        file_ = fs::make_descriptor_file(std::move(descriptor).value(), {}, flags.write);
        const fs::OpenFile* subject = file_.get();
        const Bid bid = GetParam()->bid(subject);
        EXPECT_TRUE(bid.priority) << bid.reason;
        transfer_ = GetParam()->make(*file_);
        return *transfer_;
    }
    ByteTransfer& open_with(const Bytes& bytes) {
        const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return open(scratch_.file("f", text), {.read = true, .write = true});
    }
    [[nodiscard]] Bytes in_file() const { return contents(scratch_.path("f")); }

    Scratch scratch_;
    std::unique_ptr<fs::OpenFile> file_;
    std::unique_ptr<ByteTransfer> transfer_;
};

TEST_P(ByteTransferTest, NoPiecesMoveNothing) {
    ByteTransfer& transfer = open_with(patterned(0, 10));
    for (const Transferred& moved : {transfer.read({}), transfer.write({})}) {
        EXPECT_TRUE(succeeded(moved.status));
        EXPECT_EQ(moved.bytes.value, 0);
    }
    EXPECT_TRUE(same_bytes(patterned(0, 10), in_file()));
}

TEST_P(ByteTransferTest, ReadsPiecesOfAllShapes) {
    Random random(1);
    for (int turn = 0; turn < 200; ++turn) {
        SCOPED_TRACE(turn);
        Pieces pieces = random_pieces(random, static_cast<int>(random.in(1, 30)), 50, true);
        const Bytes file = patterned(turn, random.in(0, 1500));
        const Transferred moved = open_with(file).read(pieces.list);
        EXPECT_TRUE(succeeded(moved.status));
        EXPECT_EQ(moved.bytes.value, prefix_inside(pieces, std::ssize(file)));
        EXPECT_TRUE(same_bytes(expected_memory(pieces, file, moved.bytes.value), pieces.memory));
    }
}

TEST_P(ByteTransferTest, WritesPiecesOfAllShapes) {
    Random random(2);
    for (int turn = 0; turn < 200; ++turn) {
        SCOPED_TRACE(turn);
        Pieces pieces = random_pieces(random, static_cast<int>(random.in(1, 30)), 50, false);
        const Bytes data = patterned(turn, std::ssize(pieces.memory));
        std::ranges::copy(data, pieces.memory.begin());
        Bytes expected = patterned(1000 + turn, random.in(0, 1500));
        ByteTransfer& transfer = open_with(expected);
        const Transferred moved = transfer.write(pieces.list);
        EXPECT_TRUE(succeeded(moved.status));
        EXPECT_EQ(moved.bytes.value, pieces.bytes());
        for (std::size_t i = 0; i < pieces.list.size(); ++i) {
            const auto& piece = pieces.list[i];
            const auto end = static_cast<std::size_t>((piece.file_offset + piece.length).value);
            if (expected.size() < end) expected.resize(end);
            std::copy_n(data.begin() + pieces.places[i], piece.length.value,
                        expected.begin() + piece.file_offset.value);
        }
        EXPECT_TRUE(same_bytes(expected, in_file()));
        EXPECT_TRUE(same_bytes(data, pieces.memory));
    }
}

TEST_P(ByteTransferTest, EndOfFileIsExactAtEveryByte) {
    const Bytes file = patterned(3, 24);
    ByteTransfer& transfer = open_with(file);
    for (std::int64_t begin = 0; begin < 30; ++begin) {
        Pieces pieces;
        pieces.add(begin, 3, 2);
        pieces.add(begin + 3, 4, 2);
        pieces.add(begin + 9, 2, 2);
        pieces.settle();
        const Transferred moved = transfer.read(pieces.list);
        EXPECT_TRUE(succeeded(moved.status));
        EXPECT_EQ(moved.bytes.value, prefix_inside(pieces, 24)) << "from byte " << begin;
        EXPECT_TRUE(same_bytes(expected_memory(pieces, file, moved.bytes.value), pieces.memory));
    }
}

TEST_P(ByteTransferTest, MorePiecesThanOneCallOfTheSystemTakes) {
    Pieces pieces;
    for (std::int64_t i = 0; i < 5000; ++i) pieces.add(2 * i, i % 3 == 0 ? 1 : 2, 1);
    pieces.settle();
    const Bytes file = patterned(4, 10'000);
    const Transferred moved = open_with(file).read(pieces.list);
    EXPECT_TRUE(succeeded(moved.status));
    EXPECT_EQ(moved.bytes.value, pieces.bytes());
    EXPECT_TRUE(same_bytes(expected_memory(pieces, file, moved.bytes.value), pieces.memory));
}

TEST_P(ByteTransferTest, PlacesBeyondFourGiB) {
    constexpr std::int64_t kFar = (std::int64_t{5} << 30) + 3;
    ByteTransfer& transfer = open_with({});
    Bytes data = patterned(5, 100);
    const std::vector<TransferPiece> out{{data.data(), {100}, {kFar}}};
    const Transferred written = transfer.write(out);
    EXPECT_TRUE(succeeded(written.status));
    EXPECT_EQ(file_->size()->value, kFar + 100);
    Bytes back(110, kGuard);
    const std::vector<TransferPiece> in{{back.data(), {110}, {kFar - 5}}};
    EXPECT_EQ(transfer.read(in).bytes.value, 105);
    EXPECT_TRUE(same_bytes(Bytes(5), std::span(back).first(5)));
    EXPECT_TRUE(same_bytes(data, std::span(back).subspan(5, 100)));
    EXPECT_TRUE(same_bytes(Bytes(5, kGuard), std::span(back).last(5)));
}

TEST_P(ByteTransferTest, FailuresSayWhatAndWhere) {
    const std::string path = scratch_.file("f", "abcdefgh");
    Bytes byte(4);
    const std::vector<TransferPiece> pieces{{byte.data(), {4}, {2}}};
    const Transferred written = open(path, {.read = true}).write(pieces);
    EXPECT_FALSE(written.status.ok());
    EXPECT_EQ(written.bytes.value, 0);
    EXPECT_NE(written.status.text().find("write of bytes [2, 6)"), std::string::npos)
        << written.status.text();
    const Transferred read = open(path, {.write = true}).read(pieces);
    EXPECT_FALSE(read.status.ok());
    EXPECT_NE(read.status.text().find("read of bytes [2, 6)"), std::string::npos)
        << read.status.text();
    EXPECT_TRUE(same_bytes(testing::from_text("abcdefgh"), in_file()));
}

TEST_P(ByteTransferTest, AFullDeviceIsNoSpace) {
    if (!testing::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
    Bytes byte(4);
    const std::vector<TransferPiece> pieces{{byte.data(), {4}, {0}}};
    const Transferred moved = open("/dev/full", {.read = true, .write = true}).write(pieces);
    EXPECT_TRUE(failed_with(Code::no_space, moved.status));
    EXPECT_EQ(moved.bytes.value, 0);
}

TEST_P(ByteTransferTest, ThreadsMayCallAtOnce) {
    static constexpr std::int64_t kBlock = 512;
    ByteTransfer& transfer = open_with({});
    std::vector<std::thread> threads;
    for (int id = 0; id < 4; ++id) {
        threads.emplace_back([&transfer, id] {
            Bytes data = patterned(id, kBlock);
            Bytes back(kBlock);
            for (std::int64_t i = 0; i < 10; ++i) {
                const ByteOffset at{(4 * i + id) * kBlock};
                const std::vector<TransferPiece> out{{data.data(), {kBlock}, at}};
                const std::vector<TransferPiece> in{{back.data(), {kBlock}, at}};
                EXPECT_TRUE(succeeded(transfer.write(out).status));
                EXPECT_EQ(transfer.read(in).bytes.value, kBlock);
                EXPECT_TRUE(same_bytes(data, back));
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(file_->size()->value, 40 * kBlock);
}

INSTANTIATE_TEST_SUITE_P(Every, ByteTransferTest,
                         ::testing::ValuesIn(testing::with_template(components(), kTemplate)),
                         testing::component_name<Component>);

}  // namespace
}  // namespace sheaf::fbtl
