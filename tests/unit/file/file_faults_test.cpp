// SPDX-License-Identifier: BSD-3-Clause
//
// Storage that fails on one rank: every collective call returns on every rank, with a failure.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "open_file.h"
#include "support/scratch.h"

namespace sheaf {
namespace {

using testing::at;
using testing::block_view;
using testing::Bytes;
using testing::contents;
using testing::failed_with;
using testing::individual;
using testing::kCreateReadWrite;
using testing::memory_of;
using testing::open_file;
using testing::patterned;
using testing::run_ranks;
using testing::same_bytes;
using testing::ScopedEnvironment;
using testing::Scratch;
using testing::succeeded;

constexpr int kRanks = 3;

/// The Status that each rank got of `step`, with `fault` in force and `info` at the open. Files are
/// closed at the end; where closing is the step, `step` is empty.
std::vector<Status> run_step(const std::string& fault, const std::vector<hints::Given>& info,
                             const std::function<Status(File&, int)>& step) {
    const Scratch scratch;
    (void)scratch.file("f", std::string(600, 'x'));
    const ScopedEnvironment environment("SHEAF_FAULT", fault.c_str());
    std::vector<Status> outcomes(kRanks, Status{Code::internal, "did not run"});
    run_ranks(kRanks, [&](mpi::Communicator& communicator) {
        const int rank = communicator.rank().value;
        auto opened = open_file(communicator, scratch.path("f"), kCreateReadWrite, info);
        EXPECT_TRUE(succeeded(opened.status()));
        Status outcome;
        if (step) outcome = step(**opened, rank);
        const Status closed = (*opened)->close();
        if (step) {
            EXPECT_TRUE(succeeded(closed));
        }
        outcomes[static_cast<std::size_t>(rank)] = step ? outcome : closed;
    });
    return outcomes;
}

/// All failed with `code`; all texts name the rank that failed.
void expect_agreed(const std::vector<Status>& outcomes, Code code, int failing) {
    for (int rank = 0; rank < kRanks; ++rank) {
        const Status& outcome = outcomes[static_cast<std::size_t>(rank)];
        EXPECT_TRUE(failed_with(code, outcome)) << "rank " << rank;
        EXPECT_NE(outcome.text().find("injected"), std::string::npos) << outcome.text();
        EXPECT_TRUE(outcome.text().find(fmt::format("rank {} ", failing)) != std::string::npos)
            << "rank " << rank << ": " << outcome.text();
    }
}

void expect_all_well(const std::vector<Status>& outcomes) {
    for (const Status& outcome : outcomes) EXPECT_TRUE(succeeded(outcome));
}

TEST(FileFaults, SizeAndSpaceAreRankZerosWork) {
    const auto resize = [](File& file, int) { return file.set_size({10}, {}); };
    const auto preallocate = [](File& file, int) { return file.preallocate({1000}, {}); };
    expect_agreed(run_step("resize:EIO@rank=0", {}, resize), Code::io, 0);
    expect_agreed(run_step("preallocate:ENOSPC@rank=0", {}, preallocate), Code::no_space, 0);
    expect_all_well(run_step("resize:EIO@rank=1", {}, resize));
}

TEST(FileFaults, SyncAndCloseOnEveryRank) {
    for (int rank = 0; rank < kRanks; ++rank) {
        const auto sync = run_step(fmt::format("sync:EDQUOT@rank={}", rank), {},
                                   [](File& file, int) { return file.sync(); });
        expect_agreed(sync, Code::disk_quota, rank);
        expect_agreed(run_step(fmt::format("close:EIO@rank={}", rank), {}, {}), Code::io, rank);
    }
}

TEST(FileFaults, SeekToTheEndIsIndependent) {
    const auto seek = [](File& file, int) { return file.seek({0}, Whence::end); };
    const auto outcomes = run_step("size:EIO@rank=1", {}, seek);
    EXPECT_TRUE(succeeded(outcomes[0]));
    EXPECT_TRUE(failed_with(Code::io, outcomes[1]));
    EXPECT_TRUE(succeeded(outcomes[2]));
}

TEST(FileFaults, AppendNeedsTheSize) {
    const Scratch scratch;
    for (int failing = 0; failing < kRanks; ++failing) {
        const auto fault = fmt::format("size:EIO@rank={}", failing);
        const ScopedEnvironment environment("SHEAF_FAULT", fault.c_str());
        run_ranks(kRanks, [&](mpi::Communicator& communicator) {
            const auto file =
                open_file(communicator, scratch.path("f"), kCreateReadWrite | AccessMode::append);
            EXPECT_TRUE(failed_with(Code::io, file.status()));
        });
    }
}

/// One collective access of 100 interleaved bytes on each rank.
Status interleaved(File& file, int rank, Direction direction) {
    Status status = file.set_view(block_view(5 * rank, 5, 5 * kRanks), {}, {});
    Bytes data = patterned(rank, 100);
    status.update(file.access(individual(direction, true), memory_of(data), {}).status);
    return status;
}

TEST(FileFaults, CollectiveAccessOnEveryRankAndAlgorithm) {
    for (const auto* algorithm : {"individual", "two_phase"}) {
        // One small stripe each, so that every rank is an aggregator.
        const std::vector<hints::Given> info{{"sheaf_fcoll", algorithm},
                                             {"cb_nodes", "3"},
                                             {"striping_unit", "20"},
                                             {"cb_buffer_size", "40"}};
        for (int failing = 0; failing < kRanks; ++failing) {
            SCOPED_TRACE(fmt::format("{}, rank {}", algorithm, failing));
            const auto write = [](File& file, int rank) {
                return interleaved(file, rank, Direction::write);
            };
            const auto read = [](File& file, int rank) {
                return interleaved(file, rank, Direction::read);
            };
            expect_agreed(run_step(fmt::format("write:ENOSPC@rank={}", failing), info, write),
                          Code::no_space, failing);
            expect_agreed(run_step(fmt::format("read:EIO@rank={}", failing), info, read), Code::io,
                          failing);
        }
    }
}

TEST(FileFaults, AFileGoesOnAfterAFailure) {
    const auto outcomes = run_step(
        "write:EIO@rank=1,nth=1", {{"sheaf_fcoll", "individual"}}, [](File& file, int rank) {
            EXPECT_TRUE(failed_with(Code::io, interleaved(file, rank, Direction::write)));
            Status status = interleaved(file, rank, Direction::write);
            EXPECT_TRUE(succeeded(status));
            Bytes back(100);
            status.update(file.access(at(Direction::read, 0, true), memory_of(back), {}).status);
            EXPECT_TRUE(same_bytes(patterned(rank, 100), back));
            return status;
        });
    expect_all_well(outcomes);
}

TEST(FileFaults, IndependentAccessFailsOnItsRankOnly) {
    const auto outcomes = run_step("write:ENOSPC@rank=2", {}, [](File& file, int rank) {
        Bytes data = patterned(rank, 10);
        return file.access(at(Direction::write, 10 * rank, false), memory_of(data), {}).status;
    });
    EXPECT_TRUE(succeeded(outcomes[0]));
    EXPECT_TRUE(succeeded(outcomes[1]));
    EXPECT_TRUE(failed_with(Code::no_space, outcomes[2]));
}

TEST(FileFaults, DeleteOnCloseReportsTheFirstTrouble) {
    const Scratch scratch;
    const ScopedEnvironment environment("SHEAF_FAULT", "close:EIO@rank=1");
    run_ranks(kRanks, [&](mpi::Communicator& communicator) {
        auto file = open_file(communicator, scratch.path("f"),
                              kCreateReadWrite | AccessMode::delete_on_close);
        EXPECT_TRUE(succeeded(file.status()));
        EXPECT_TRUE(failed_with(Code::io, (*file)->close()));
    });
    EXPECT_FALSE(testing::exists(scratch.path("f")));
}

}  // namespace
}  // namespace sheaf
