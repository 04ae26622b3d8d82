// SPDX-License-Identifier: BSD-3-Clause
#include "coord/agreement.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "platform/storage_facts.h"
#include "support/bytes.h"
#include "support/thread_communicator.h"

namespace sheaf::coord {
namespace {

using testing::failed_with;
using testing::run_ranks;
using testing::succeeded;

constexpr std::array kCodes{Code::no_space, Code::io, Code::access, Code::overflow};

/// What rank `rank` has to say when the ranks of the set `failing` failed.
Status own_status(unsigned failing, int rank) {
    if ((failing >> rank & 1U) == 0) return {};
    return {kCodes[static_cast<std::size_t>(rank)], fmt::format("trouble {}", rank), 100 + rank};
}

std::string text_for_others(unsigned failing) {
    const int first = std::countr_zero(failing);
    const int more = std::popcount(failing) - 1;
    std::string text = fmt::format("rank {} ({}): trouble {}", first, platform::host_name(), first);
    if (more > 0) text += fmt::format("; {} other rank{} failed too", more, more > 1 ? "s" : "");
    return text;
}

void check_outcome(unsigned failing, int rank, const Status& outcome) {
    SCOPED_TRACE(fmt::format("failing ranks {:#b}, rank {}", failing, rank));
    if (failing == 0) {
        EXPECT_TRUE(succeeded(outcome));
        return;
    }
    const Status own = own_status(failing, rank);
    const int first = std::countr_zero(failing);
    const Code code = own.ok() ? kCodes[static_cast<std::size_t>(first)] : own.code();
    EXPECT_TRUE(failed_with(code, outcome));
    EXPECT_EQ(outcome.text(), own.ok() ? text_for_others(failing) : own.text());
    EXPECT_EQ(outcome.system_error(), own.ok() ? 100 + first : 100 + rank);
}

TEST(Agree, EverySubsetOfFailingRanks) {
    for (int ranks = 1; ranks <= 4; ++ranks) {
        for (unsigned failing = 0; failing < 1U << ranks; ++failing) {
            run_ranks(ranks, [&](mpi::Communicator& communicator) {
                const int rank = communicator.rank().value;
                check_outcome(failing, rank, agree(communicator, own_status(failing, rank)));
            });
        }
    }
}

TEST(Agree, MinimaRideAlongAlsoWithAFailure) {
    for (const unsigned failing : {0U, 4U, 3U}) {
        run_ranks(3, [&](mpi::Communicator& communicator) {
            const std::int64_t rank = communicator.rank().value;
            std::array<std::int64_t, 3> minima{rank - 5, 7 - rank,
                                               std::numeric_limits<std::int64_t>::max()};
            const Status mine = own_status(failing, static_cast<int>(rank));
            check_outcome(failing, static_cast<int>(rank), agree(communicator, mine, minima));
            EXPECT_EQ(minima, (std::array<std::int64_t, 3>{
                                  -5, 5, std::numeric_limits<std::int64_t>::max()}));
        });
    }
}

TEST(Agree, ALongTextTravelsWhole) {
    const std::string words(100'000, 'w');
    run_ranks(3, [&](mpi::Communicator& communicator) {
        const bool fails = communicator.rank() == Rank{1};
        const Status outcome = agree(communicator, fails ? Status{Code::io, words} : Status{});
        EXPECT_TRUE(outcome.text().ends_with(words));
    });
}

/// agree_same() on values by rank; returns rank 0's outcome after comparing all of them.
std::vector<Status> outcomes(const std::vector<std::pair<std::int64_t, std::int64_t>>& values,
                             unsigned failing = 0) {
    std::vector<Status> result(values.size());
    run_ranks(static_cast<int>(values.size()), [&](mpi::Communicator& communicator) {
        const int rank = communicator.rank().value;
        const auto& [first, second] = values[static_cast<std::size_t>(rank)];
        const std::array<Same, 2> same{Same{"the size", first}, Same{"the mode", second}};
        result[static_cast<std::size_t>(rank)] =
            agree_same(communicator, own_status(failing, rank), same, Code::not_same);
    });
    return result;
}

TEST(AgreeSame, EqualValuesPass) {
    for (const auto value :
         {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min(),
          std::numeric_limits<std::int64_t>::max()}) {
        for (const Status& status : outcomes({{value, 1}, {value, 1}, {value, 1}}))
            EXPECT_TRUE(succeeded(status));
    }
}

TEST(AgreeSame, NamesTheFirstThatDiffers) {
    for (const Status& status : outcomes({{4, 1}, {-2, 1}, {9, 2}})) {
        EXPECT_TRUE(failed_with(Code::not_same, status));
        EXPECT_EQ(status.text(), "the size differs among ranks: from -2 to 9");
    }
    for (const Status& status : outcomes({{4, 1}, {4, 1}, {4, 2}, {4, 1}}))
        EXPECT_EQ(status.text(), "the mode differs among ranks: from 1 to 2");
}

TEST(AgreeSame, AFailureComesFirst) {
    const auto all = outcomes({{4, 1}, {5, 1}, {4, 1}}, 2U);
    for (int rank = 0; rank < 3; ++rank)
        check_outcome(2U, rank, all[static_cast<std::size_t>(rank)]);
}

TEST(AgreeSame, EverySubsetOfFailingRanks) {
    for (unsigned failing = 0; failing < 16; ++failing) {
        const auto all = outcomes({{1, 1}, {1, 1}, {1, 1}, {1, 1}}, failing);
        for (int rank = 0; rank < 4; ++rank)
            check_outcome(failing, rank, all[static_cast<std::size_t>(rank)]);
    }
}

}  // namespace
}  // namespace sheaf::coord
