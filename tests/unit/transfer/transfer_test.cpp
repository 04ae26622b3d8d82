// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/byte_store.h"
#include "support/bytes.h"
#include "support/dealt_views.h"
#include "support/thread_communicator.h"
#include "transfer/independent.h"
#include "transfer/sieve.h"

namespace sheaf::transfer {
namespace {

using testing::Bytes;
using testing::ByteStore;
using testing::Deal;
using testing::failed_with;
using testing::GuardedMemory;
using testing::KnownView;
using testing::patterned;
using testing::Random;
using testing::same_bytes;
using testing::StoreTransfer;
using testing::succeeded;
using testing::Trouble;

constexpr std::byte kGuard{0xee};

ByteRange range(std::int64_t begin, std::int64_t end) {
    return {{begin}, {end}};
}

/// Reads these ranges into memory that lies together, and says which reads were made.
struct Sieved {
    fbtl::Transferred moved;
    Bytes memory;
    std::vector<ByteRange> asked;
};

Sieved sieve(const Bytes& file, const std::vector<ByteRange>& ranges, SieveLimits limits) {
    ByteStore store(file);
    StoreTransfer transfer(store);
    Sieved result;
    std::int64_t total = 0;
    for (const ByteRange each : ranges) total += each.size().value;
    result.memory.assign(static_cast<std::size_t>(total), kGuard);
    std::vector<fbtl::TransferPiece> pieces;
    std::byte* at = result.memory.data();
    for (const ByteRange each : ranges) {
        pieces.push_back({at, each.size(), each.begin});
        at += each.size().value;
    }
    SievingReader reader(transfer, limits);
    result.moved = reader.read(pieces);
    result.asked = transfer.asked();
    return result;
}

TEST(Sieve, CloseNeighboursAreReadAtOnce) {
    const Sieved sieved =
        sieve(patterned(0, 100), {range(0, 4), range(8, 12), range(17, 20)}, {{4}, {100}});
    EXPECT_EQ(sieved.asked, (std::vector<ByteRange>{range(0, 12), range(17, 20)}));
    EXPECT_EQ(sieved.moved.bytes, ByteCount{11});
}

TEST(Sieve, WithoutAGapEachPieceIsReadAlone) {
    const Sieved sieved = sieve(patterned(0, 100), {range(0, 4), range(5, 9)}, {{0}, {0}});
    EXPECT_EQ(sieved.asked, (std::vector<ByteRange>{range(0, 4), range(5, 9)}));
}

TEST(Sieve, TheBufferIsTheLargestRead) {
    const std::vector<ByteRange> ranges{range(0, 4), range(6, 10), range(12, 16), range(18, 22)};
    const Sieved sieved = sieve(patterned(0, 100), ranges, {{10}, {10}});
    EXPECT_EQ(sieved.asked, (std::vector<ByteRange>{range(0, 10), range(12, 22)}));
    const Sieved alone = sieve(patterned(0, 100), ranges, {{10}, {9}});
    EXPECT_EQ(alone.asked, ranges);
}

TEST(Sieve, APieceLargerThanTheBufferIsReadDirectly) {
    const Sieved sieved = sieve(patterned(0, 100), {range(0, 40), range(41, 42)}, {{10}, {16}});
    EXPECT_EQ(sieved.asked, (std::vector<ByteRange>{range(0, 40), range(41, 42)}));
    EXPECT_EQ(sieved.moved.bytes, ByteCount{41});
}

TEST(Sieve, AFailureKeepsThePrefix) {
    ByteStore store(patterned(0, 100));
    StoreTransfer transfer(store);
    transfer.arm({Direction::read, 2, {Code::io, "broken"}});
    Bytes memory(12);
    const std::vector<fbtl::TransferPiece> pieces{
        {memory.data(), {4}, {0}}, {memory.data() + 4, {4}, {5}}, {memory.data() + 8, {4}, {90}}};
    SievingReader reader(transfer, {{4}, {100}});
    const fbtl::Transferred moved = reader.read(pieces);
    EXPECT_TRUE(failed_with(Code::io, moved.status));
    EXPECT_EQ(moved.bytes, ByteCount{8});
}

/// Ascending ranges, some adjoining, some overlapping.
std::vector<ByteRange> random_ranges(Random& random) {
    std::vector<ByteRange> ranges;
    std::int64_t at = random.in(0, 20);
    for (std::int64_t left = random.in(1, 12); left > 0; --left) {
        const std::int64_t length = random.in(1, 30);
        ranges.push_back(range(at, at + length));
        at += random.one_in(4) ? random.in(0, length) : length + random.in(0, 20);
    }
    return ranges;
}

TEST(Sieve, AgreesWithDirectReadsAtEveryEndOfFile) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Random random(seed);
        const auto ranges = random_ranges(random);
        const Bytes file = patterned(static_cast<int>(seed), random.in(0, 300));
        const SieveLimits limits{{random.in(0, 25)}, {random.in(0, 100)}};
        const Sieved direct = sieve(file, ranges, {{0}, {0}});
        const Sieved sieved = sieve(file, ranges, limits);
        SCOPED_TRACE(fmt::format("seed {}, gap {}, buffer {}, file of {}", seed,
                                 limits.largest_gap.value, limits.buffer.value, file.size()));
        EXPECT_TRUE(succeeded(sieved.moved.status));
        EXPECT_EQ(sieved.moved.bytes, direct.moved.bytes);
        const auto moved = static_cast<std::size_t>(direct.moved.bytes.value);
        EXPECT_TRUE(same_bytes(std::span(direct.memory).first(moved),
                               std::span(sieved.memory).first(moved)));
    }
}

/// A file of one rank, as independent() sees it.
struct Alone {
    explicit Alone(const Bytes& file) : store(file) {}

    fbtl::Transferred run(const KnownView& view, const AccessRequest& request) {
        fbtl::Transferred moved;
        testing::run_ranks(1, [&](mpi::Communicator& communicator) {
            const FileContext context{communicator, path, hints, facts, transfer};
            moved = independent(context, view.view, request);
        });
        return moved;
    }
    void set_hint(const std::string& name, const std::string& value) {
        hints.set({{name, value}}, "test", hints::Changes::at_open);
        EXPECT_EQ(hints.reports().back().fate, hints::Fate::used) << value;
    }

    ByteStore store;
    StoreTransfer transfer{store};
    hints::HintSet hints;
    fs::Facts facts;
    std::string path = "/store";
};

/// The bytes of `file` that a request shows, up to the first one beyond its end.
Bytes visible(const KnownView& view, const Bytes& file, std::int64_t first, std::int64_t count) {
    Bytes bytes;
    for (std::int64_t i = first; i < first + count; ++i) {
        const auto offset = static_cast<std::size_t>(view.offset_of(i));
        if (offset >= file.size()) break;
        bytes.push_back(file[offset]);
    }
    return bytes;
}

struct Drawn {
    KnownView view;
    std::int64_t first = 0;
    std::int64_t count = 0;
};

Drawn draw_request(Random& random) {
    Drawn drawn;
    drawn.view =
        testing::deal_views(static_cast<Deal>(random.in(0, testing::kDeals - 1)), 2, random)[0];
    const std::int64_t size = std::ssize(drawn.view.tile);
    if (size == 0) return drawn;
    drawn.first = random.in(0, 2 * size);
    drawn.count = random.in(0, 3 * size);
    return drawn;
}

TEST(Independent, ReadsWhatTheViewShows) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Random random(seed);
        const auto [view, first, count] = draw_request(random);
        const Bytes file = patterned(1, random.in(0, 3000));
        Alone alone(file);
        alone.set_hint("ind_rd_buffer_size", std::to_string(random.in(1, 400)));
        alone.set_hint("romio_ds_read", random.one_in(3)   ? "enable"
                                        : random.one_in(2) ? "disable"
                                                           : "automatic");
        GuardedMemory memory(count, random);
        const auto moved = alone.run(view, {Direction::read, memory.memory(), {first}, {}});
        SCOPED_TRACE(fmt::format("seed {}: {} bytes from {} of {}, file of {}", seed, count, first,
                                 view.text(), file.size()));
        const Bytes expected = visible(view, file, first, count);
        EXPECT_TRUE(succeeded(moved.status));
        EXPECT_EQ(moved.bytes.value, std::ssize(expected));
        const Bytes data = memory.data();
        EXPECT_TRUE(same_bytes(expected, std::span(data).first(expected.size())));
        EXPECT_TRUE(memory.guards_untouched());
    }
}

TEST(Independent, WritesWhatTheViewShowsAndNothingElse) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Random random(seed);
        const auto [view, first, count] = draw_request(random);
        Bytes expected = patterned(1, random.in(0, 3000));
        Alone alone(expected);
        GuardedMemory memory(count, random);
        const Bytes data = patterned(2, count);
        memory.fill(data);
        const auto moved = alone.run(view, {Direction::write, memory.memory(), {first}, {}});
        EXPECT_TRUE(succeeded(moved.status));
        EXPECT_EQ(moved.bytes.value, count);
        for (std::int64_t i = 0; i < count; ++i) {
            const auto offset = static_cast<std::size_t>(view.offset_of(first + i));
            if (expected.size() <= offset) expected.resize(offset + 1);
            expected[offset] = data[static_cast<std::size_t>(i)];
        }
        EXPECT_TRUE(same_bytes(expected, alone.store.bytes())) << "seed " << seed;
        EXPECT_EQ(alone.transfer.reads(), 0);
    }
}

TEST(Independent, MorePiecesThanABatchHolds) {
    const auto layout = view::bytes(1).value();
    const KnownView view = testing::known_view(3, layout, 2);
    const Bytes file = patterned(1, 40'000);
    Alone alone(file);
    alone.set_hint("romio_ds_read", "disable");
    Bytes memory(20'000);
    const Memory whole{memory.data(), view::bytes(std::ssize(memory)).value()};
    const auto moved = alone.run(view, {Direction::read, whole, {5}, {}});
    EXPECT_TRUE(same_bytes(visible(view, file, 5, 20'000),
                           std::span(memory).first(static_cast<std::size_t>(moved.bytes.value))));
    EXPECT_EQ(moved.bytes.value, (40'000 - 3 + 1) / 2 - 5);
}

TEST(Independent, APreconditionIsReturnedUntouched) {
    Alone alone(patterned(1, 10));
    Random random(1);
    GuardedMemory memory(4, random);
    const KnownView view = testing::known_view(0, view::bytes(1).value(), 1);
    const auto moved =
        alone.run(view, {Direction::write, memory.memory(), {0}, {Code::count, "negative"}});
    EXPECT_TRUE(failed_with(Code::count, moved.status));
    EXPECT_EQ(moved.bytes, ByteCount{});
    EXPECT_EQ(alone.transfer.writes(), 0);
}

TEST(Independent, BeyondWhatTheViewShows) {
    Alone alone(patterned(1, 10));
    Random random(1);
    GuardedMemory memory(4, random);
    const KnownView empty = testing::known_view(0, view::Layout{}, 8);
    const auto moved = alone.run(empty, {Direction::read, memory.memory(), {0}, {}});
    EXPECT_TRUE(failed_with(Code::argument, moved.status));
}

TEST(Independent, StorageThatFailsAfterABatch) {
    const KnownView view = testing::known_view(0, view::bytes(1).value(), 2);
    Alone alone(patterned(1, 20'000));
    alone.set_hint("romio_ds_read", "disable");
    alone.transfer.arm({Direction::read, 4097, {Code::io, "broken"}});
    Bytes memory(6000);
    const Memory whole{memory.data(), view::bytes(std::ssize(memory)).value()};
    const auto moved = alone.run(view, {Direction::read, whole, {0}, {}});
    EXPECT_TRUE(failed_with(Code::io, moved.status));
    EXPECT_EQ(moved.bytes, ByteCount{4096});
}

}  // namespace
}  // namespace sheaf::transfer
