// SPDX-License-Identifier: BSD-3-Clause
//
// The communicator of the tests, and what mpi/communicator.h builds on any communicator.
#include "mpi/communicator.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "support/bytes.h"
#include "support/thread_communicator.h"

namespace sheaf::mpi {
namespace {

using testing::Bytes;
using testing::patterned;
using testing::run_ranks;
using testing::same_bytes;
using testing::succeeded;

TEST(ThreadCommunicator, Reduces) {
    run_ranks(5, [](Communicator& communicator) {
        const std::int64_t rank = communicator.rank().value;
        std::array<std::int64_t, 2> sum{rank, 1};
        std::array<std::int64_t, 1> least{rank - 9};
        std::array<std::int64_t, 1> most{rank};
        EXPECT_TRUE(succeeded(communicator.all_reduce(sum, Reduction::sum)));
        EXPECT_TRUE(succeeded(communicator.all_reduce(least, Reduction::minimum)));
        EXPECT_TRUE(succeeded(communicator.all_reduce(most, Reduction::maximum)));
        EXPECT_EQ(sum, (std::array<std::int64_t, 2>{10, 5}));
        EXPECT_EQ(least[0], -9);
        EXPECT_EQ(most[0], 4);
    });
}

TEST(ThreadCommunicator, ExchangesInAnyPattern) {
    constexpr int kRanks = 4;
    run_ranks(kRanks, [](Communicator& communicator) {
        const int me = communicator.rank().value;
        for (int turn = 0; turn < 20; ++turn) {
            // Rank r sends r + p + 1 bytes to every p, itself included, unless r + p is 3.
            std::vector<Bytes> out(kRanks);
            std::vector<Bytes> in(kRanks, Bytes(40));
            std::vector<Outgoing> send;
            std::vector<Incoming> receive;
            for (int peer = 0; peer < kRanks; ++peer) {
                if (me + peer == 3) continue;
                const auto p = static_cast<std::size_t>(peer);
                out[p] = patterned(me, me + peer + 1);
                send.push_back({Rank{peer}, out[p]});
                receive.push_back({Rank{peer}, in[p], {}});
            }
            EXPECT_TRUE(succeeded(communicator.exchange(send, receive)));
            for (const Incoming& message : receive) {
                EXPECT_EQ(message.received.value, me + message.peer.value + 1);
                const auto length = static_cast<std::size_t>(message.received.value);
                EXPECT_TRUE(same_bytes(patterned(message.peer.value, message.received.value),
                                       message.room.first(length)));
            }
        }
    });
}

TEST(Communicator, TextOfAnyLength) {
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{70'000}}) {
        run_ranks(3, [&](Communicator& communicator) {
            std::string text = communicator.rank() == Rank{2} ? std::string(length, 'x') : "mine";
            EXPECT_TRUE(succeeded(broadcast_text(communicator, text, Rank{2})));
            EXPECT_EQ(text, std::string(length, 'x'));
        });
    }
}

TEST(Communicator, BlocksOfDifferentSizes) {
    run_ranks(4, [](Communicator& communicator) {
        const int me = communicator.rank().value;
        std::vector<Bytes> all;
        EXPECT_TRUE(succeeded(all_gather_blocks(communicator, patterned(me, 3 * (me % 3)), all)));
        for (int rank = 0; rank < 4; ++rank) {
            EXPECT_TRUE(
                same_bytes(patterned(rank, 3 * (rank % 3)), all[static_cast<std::size_t>(rank)]));
        }
    });
}

TEST(ThreadCommunicatorDeathTest, NamesRanksAndCalls) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto different_calls = [](Communicator& communicator) {
        std::array<std::int64_t, 1> value{1};
        if (communicator.rank() == Rank{0})
            (void)communicator.all_reduce(value, Reduction::sum);
        else
            (void)communicator.broadcast(std::as_writable_bytes(std::span(value)), Rank{0});
    };
    EXPECT_DEATH(run_ranks(2, different_calls),
                 "different calls(.|\n)*rank 0: waits in call 1, all_reduce"
                 "(.|\n)*rank 1: waits in call 1, broadcast");
    const auto one_leaves = [](Communicator& communicator) {
        std::array<std::int64_t, 1> value{1};
        if (communicator.rank() == Rank{1}) return;
        (void)communicator.all_reduce(value, Reduction::sum);
    };
    EXPECT_DEATH(run_ranks(2, one_leaves), "rank 1: returned after 0 calls");
    const auto too_long = [](Communicator& communicator) {
        Bytes bytes(8);
        const std::array<Outgoing, 1> send{Outgoing{communicator.rank(), bytes}};
        std::array<Incoming, 1> receive{
            Incoming{communicator.rank(), std::span(bytes).first(4), {}}};
        (void)communicator.exchange(send, receive);
    };
    EXPECT_DEATH(run_ranks(1, too_long), "8 bytes from rank 0 to rank 0 has room for 4");
}

}  // namespace
}  // namespace sheaf::mpi
