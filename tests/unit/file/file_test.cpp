// SPDX-License-Identifier: BSD-3-Clause
//
// File from open to close, over ranks that are threads, on files of the system and in memory.
#include "file/file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
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

constexpr std::uint32_t kReadWrite = AccessMode::read_write;
constexpr int kRanks = 3;

/// Each test runs on a file of the system and on one in memory: the parameter is the prefix.
class FileTest : public ::testing::TestWithParam<std::string> {
protected:
    [[nodiscard]] std::string name() const { return GetParam() + scratch_.path("f"); }

    /// Opens on all ranks, runs `body`, closes.
    template <class Body>
    void with_file(int ranks, std::uint32_t flags, Body body) const {
        run_ranks(ranks, [&](mpi::Communicator& communicator) {
            auto file = open_file(communicator, name(), flags);
            EXPECT_TRUE(succeeded(file.status()));
            if (!file.ok()) return;
            body(**file, communicator.rank().value);
            EXPECT_TRUE(succeeded((*file)->close()));
        });
    }

    /// Writes the bytes through a file of one rank.
    void fill(const Bytes& bytes) const {
        with_file(1, kCreateReadWrite, [&](File& file, int) {
            Bytes copy = bytes;
            EXPECT_TRUE(
                succeeded(file.access(at(Direction::write, 0, false), memory_of(copy), {}).status));
        });
    }
    /// All bytes of the file.
    [[nodiscard]] Bytes read_back() const {
        Bytes bytes;
        with_file(1, AccessMode::read_only, [&](File& file, int) {
            bytes.resize(static_cast<std::size_t>(file.size()->value));
            EXPECT_EQ(file.access(at(Direction::read, 0, false), memory_of(bytes), {}).bytes.value,
                      std::ssize(bytes));
        });
        return bytes;
    }

    Scratch scratch_;
};

TEST_P(FileTest, InterleavedViewsMakeOneFile) {
    constexpr std::int64_t kBlock = 10;
    for (const bool collective : {true, false}) {
        for (const auto* algorithm : {"auto", "individual", "two_phase"}) {
            run_ranks(kRanks, [&](mpi::Communicator& communicator) {
                const int rank = communicator.rank().value;
                auto opened = open_file(communicator, name(), kCreateReadWrite,
                                        {{"sheaf_fcoll", algorithm}, {"cb_buffer_size", "64"}});
                EXPECT_TRUE(succeeded(opened.status()));
                File& file = **opened;
                const auto view = block_view(kBlock * rank, kBlock, kBlock * kRanks);
                EXPECT_TRUE(succeeded(file.set_view(view, {}, {})));
                Bytes data = patterned(rank, 50);
                for (int half = 0; half < 2; ++half) {
                    const Memory part{data.data() + 25 * half, view::bytes(25).value()};
                    const auto moved =
                        file.access(individual(Direction::write, collective), part, {});
                    EXPECT_TRUE(succeeded(moved.status));
                    EXPECT_EQ(moved.bytes.value, 25);
                }
                EXPECT_EQ(file.position(), EtypeOffset{50});
                EXPECT_TRUE(succeeded(file.sync()));
                Bytes back(60);
                const auto moved =
                    file.access(at(Direction::read, 0, collective), memory_of(back), {});
                EXPECT_TRUE(succeeded(moved.status));
                EXPECT_EQ(moved.bytes.value, 50);
                EXPECT_TRUE(same_bytes(data, std::span(back).first(50)));
                EXPECT_TRUE(succeeded(file.close()));
            });
            Bytes expected(kBlock * kRanks * 5);
            for (std::int64_t i = 0; i < std::ssize(expected); ++i) {
                const std::int64_t block = i / kBlock;
                expected[static_cast<std::size_t>(i)] = testing::pattern(
                    static_cast<int>(block % kRanks), block / kRanks * kBlock + i % kBlock);
            }
            EXPECT_TRUE(same_bytes(expected, read_back())) << algorithm;
        }
    }
}

TEST_P(FileTest, SeekFromEverywhere) {
    fill(patterned(0, 100));
    with_file(kRanks, kReadWrite, [](File& file, int rank) {
        EXPECT_TRUE(succeeded(file.seek({10}, Whence::set)));
        EXPECT_TRUE(succeeded(file.seek({5}, Whence::current)));
        EXPECT_EQ(file.position(), EtypeOffset{15});
        EXPECT_TRUE(succeeded(file.seek({-1}, Whence::end)));
        EXPECT_EQ(file.position(), EtypeOffset{99});
        EXPECT_TRUE(failed_with(Code::argument, file.seek({-100}, Whence::current)));
        EXPECT_TRUE(failed_with(Code::argument, file.seek({-1}, Whence::set)));
        EXPECT_EQ(file.position(), EtypeOffset{99});
        EXPECT_TRUE(succeeded(file.set_view(block_view(10 * rank, 10, 30), {}, {})));
        EXPECT_EQ(file.position(), EtypeOffset{0});
        EXPECT_TRUE(succeeded(file.seek({0}, Whence::end)));
        // 100 bytes are 34 tiles' worth: rank 0 sees ten of its fourth block, the others three
        // each.
        EXPECT_EQ(file.position().value, rank == 0 ? 40 : 30);
        EXPECT_EQ(file.byte_offset({12})->value, 10 * rank + 32);
    });
}

TEST_P(FileTest, AppendStartsAtTheEnd) {
    fill(patterned(0, 42));
    with_file(kRanks, kReadWrite | AccessMode::append, [](File& file, int rank) {
        EXPECT_EQ(file.position(), EtypeOffset{42});
        Bytes data = patterned(rank, 4);
        EXPECT_TRUE(succeeded(file.seek({4 * rank}, Whence::current)));
        EXPECT_TRUE(
            succeeded(file.access(individual(Direction::write, true), memory_of(data), {}).status));
    });
    Bytes expected = patterned(0, 42);
    for (int rank = 0; rank < kRanks; ++rank) {
        const Bytes more = patterned(rank, 4);
        expected.insert(expected.end(), more.begin(), more.end());
    }
    EXPECT_TRUE(same_bytes(expected, read_back()));
}

TEST_P(FileTest, DeleteOnCloseRemovesTheName) {
    with_file(kRanks, kCreateReadWrite | AccessMode::delete_on_close, [](File&, int) {});
    run_ranks(kRanks, [&](mpi::Communicator& communicator) {
        EXPECT_TRUE(
            failed_with(Code::no_such_file, open_file(communicator, name(), kReadWrite).status()));
    });
    EXPECT_TRUE(failed_with(Code::no_such_file, File::remove(name())));
}

TEST_P(FileTest, RemoveTakesTheName) {
    fill(patterned(0, 3));
    EXPECT_TRUE(succeeded(File::remove(name())));
    EXPECT_TRUE(failed_with(Code::no_such_file, File::remove(name())));
}

TEST_P(FileTest, ExclusiveIsForTheFirst) {
    const std::uint32_t exclusive = kCreateReadWrite | AccessMode::exclusive;
    with_file(kRanks, exclusive, [](File&, int) {});
    run_ranks(kRanks, [&](mpi::Communicator& communicator) {
        EXPECT_TRUE(
            failed_with(Code::file_exists, open_file(communicator, name(), exclusive).status()));
    });
}

TEST_P(FileTest, ANameThatDoesNotExistIsSaidOnAllRanks) {
    run_ranks(4, [&](mpi::Communicator& communicator) {
        const auto file = open_file(communicator, name(), AccessMode::read_only);
        EXPECT_TRUE(failed_with(Code::no_such_file, file.status()));
        EXPECT_TRUE(file.status().text().starts_with(scratch_.path("f"))) << file.status().text();
    });
}

TEST_P(FileTest, ModesThatDifferAreOneError) {
    run_ranks(kRanks, [&](mpi::Communicator& communicator) {
        const bool odd = communicator.rank() == Rank{1};
        const auto file = open_file(communicator, name(),
                                    odd ? kCreateReadWrite | AccessMode::append : kCreateReadWrite);
        EXPECT_TRUE(failed_with(Code::not_same, file.status()));
    });
    run_ranks(kRanks, [&](mpi::Communicator& communicator) {
        const bool bad = communicator.rank() == Rank{2};
        const auto file = open_file(communicator, name(), bad ? 0U : kCreateReadWrite);
        EXPECT_TRUE(failed_with(Code::amode, file.status()));
    });
    EXPECT_TRUE(failed_with(Code::no_such_file, File::remove(name())));
}

TEST_P(FileTest, HintsThatDifferAreThoseOfRankZero) {
    run_ranks(kRanks, [&](mpi::Communicator& communicator) {
        const int rank = communicator.rank().value;
        const auto opened = open_file(communicator, name(), kCreateReadWrite,
                                      {{"cb_nodes", std::to_string(3 - rank)},
                                       {"sheaf_fcoll", rank == 0 ? "two_phase" : "individual"}});
        EXPECT_TRUE(succeeded(opened.status()));
        File& file = **opened;
        EXPECT_EQ(file.hints().number("cb_nodes"), 3);
        EXPECT_EQ(file.hints().word("sheaf_fcoll"), "two_phase");
        const std::vector<hints::Given> later{{"cb_nodes", std::to_string(rank + 5)}};
        EXPECT_TRUE(succeeded(file.set_view(block_view(0, 8, 8), later, {})));
        EXPECT_EQ(file.hints().number("cb_nodes"), 5);
        EXPECT_TRUE(succeeded(file.set_hints({{"romio_ds_read", rank == 1 ? "off" : "on"}}, {})));
        EXPECT_EQ(file.hints().switched("romio_ds_read"), 1);
        for (const Choice& choice : file.choices())
            EXPECT_FALSE(choice.reason.empty()) << choice.framework;
        EXPECT_TRUE(succeeded(file.close()));
    });
}

TEST_P(FileTest, SizesMustBeTheSame) {
    with_file(kRanks, kCreateReadWrite, [](File& file, int rank) {
        EXPECT_TRUE(succeeded(file.set_size({100}, {})));
        EXPECT_EQ(file.size()->value, 100);
        EXPECT_TRUE(failed_with(Code::not_same, file.set_size({100 + rank}, {})));
        EXPECT_TRUE(failed_with(Code::not_same, file.preallocate({200 + rank}, {})));
        EXPECT_EQ(file.size()->value, 100);
        EXPECT_TRUE(failed_with(Code::argument, file.set_size({rank == 1 ? -1 : 5}, {})));
        const Status allocated = file.preallocate({300}, {});
        if (allocated.code() != Code::unsupported_operation) {
            EXPECT_TRUE(succeeded(allocated));
            EXPECT_EQ(file.size()->value, 300);
        }
        EXPECT_TRUE(succeeded(file.set_size({7}, {})));
        EXPECT_EQ(file.size()->value, 7);
    });
}

TEST_P(FileTest, ReadOnlyAndWriteOnlyMeanIt) {
    fill(patterned(0, 8));
    with_file(kRanks, AccessMode::read_only, [](File& file, int) {
        Bytes data(4);
        for (const bool collective : {true, false}) {
            EXPECT_TRUE(failed_with(
                Code::read_only,
                file.access(at(Direction::write, 0, collective), memory_of(data), {}).status));
        }
        EXPECT_TRUE(failed_with(Code::read_only, file.set_size({1}, {})));
        EXPECT_TRUE(failed_with(Code::read_only, file.preallocate({100}, {})));
    });
    with_file(kRanks, AccessMode::write_only, [](File& file, int) {
        Bytes data(4);
        for (const bool collective : {true, false}) {
            EXPECT_TRUE(failed_with(
                Code::access,
                file.access(at(Direction::read, 0, collective), memory_of(data), {}).status));
        }
    });
    EXPECT_TRUE(same_bytes(patterned(0, 8), read_back()));
}

TEST_P(FileTest, BadArgumentsOfOneRankReachAll) {
    with_file(kRanks, kCreateReadWrite, [](File& file, int rank) {
        Bytes data = patterned(rank, 4);
        const auto moved =
            file.access(at(Direction::write, rank == 1 ? -1 : 4 * rank, true), memory_of(data), {});
        EXPECT_TRUE(failed_with(Code::argument, moved.status));
        const bool bad = rank == 2;
        EXPECT_TRUE(
            failed_with(Code::argument, file.set_view(block_view(bad ? -1 : 0, 4, 4), {}, {})));
        ViewArguments strange = block_view(0, 4, 4);
        if (bad) strange.representation = "no such";
        EXPECT_TRUE(failed_with(Code::unsupported_datarep, file.set_view(strange, {}, {})));
        EXPECT_EQ(file.view().visible(), view::FileView().visible());
    });
}

TEST_P(FileTest, EtypesThatDifferInExtentAreRefused) {
    with_file(kRanks, kCreateReadWrite, [](File& file, int rank) {
        ViewArguments view = block_view(0, 12, 12);
        const std::int64_t size = rank == 1 ? 2 : 4;
        view.etype = {view::bytes(size).value(), size};
        EXPECT_TRUE(failed_with(Code::not_same, file.set_view(view, {}, {})));
        view.etype = {view::bytes(4).value(), 4};
        EXPECT_TRUE(succeeded(file.set_view(view, {}, {})));
        Bytes data(6);
        EXPECT_TRUE(failed_with(
            Code::io, file.access(at(Direction::write, 0, true), memory_of(data), {}).status));
    });
}

TEST_P(FileTest, SequentialFilesHaveNoOffsets) {
    with_file(
        kRanks, AccessMode::create | AccessMode::write_only | AccessMode::sequential,
        [](File& file, int) {
            Bytes data(4);
            EXPECT_TRUE(failed_with(
                Code::unsupported_operation,
                file.access(at(Direction::write, 0, true), memory_of(data), {}).status));
            EXPECT_TRUE(failed_with(Code::unsupported_operation, file.seek({0}, Whence::set)));
        });
}

TEST_P(FileTest, AForcedComponentThatIsNotThere) {
    for (const auto* hint : {"sheaf_fs", "sheaf_fbtl", "sheaf_fcoll"}) {
        run_ranks(kRanks, [&](mpi::Communicator& communicator) {
            const auto file =
                open_file(communicator, name(), kCreateReadWrite, {{hint, "no_such_component"}});
            EXPECT_TRUE(failed_with(Code::info, file.status())) << hint;
        });
    }
}

TEST_P(FileTest, HintFilesBelowAndAboveTheInfo) {
    const auto weak = scratch_.file("weak", "cb_nodes 1\ncb_buffer_size 1k\n");
    const auto strong = scratch_.file("strong", "cb_nodes 3\n");
    const ScopedEnvironment below("SHEAF_HINTS", weak.c_str());
    const ScopedEnvironment above("SHEAF_HINTS_FORCE", strong.c_str());
    run_ranks(2, [&](mpi::Communicator& communicator) {
        const auto file = open_file(communicator, name(), kCreateReadWrite, {{"cb_nodes", "2"}});
        EXPECT_TRUE(succeeded(file.status()));
        EXPECT_EQ((*file)->hints().number("cb_nodes"), 3);
        EXPECT_EQ((*file)->hints().number("cb_buffer_size"), 1024);
        EXPECT_TRUE(succeeded((*file)->close()));
    });
}

std::string storage_name(const ::testing::TestParamInfo<std::string>& prefix) {
    return prefix.param.empty() ? "posix" : "memory";
}

INSTANTIATE_TEST_SUITE_P(On, FileTest, ::testing::Values("", "memory:"), storage_name);

TEST(FileOnDisk, BadNamesAreAgreed) {
    const Scratch scratch;
    for (const std::string& name : {std::string(), scratch.folder(), std::string(5000, 'x'),
                                    scratch.path(std::string(300, 'x'))}) {
        run_ranks(2, [&](mpi::Communicator& communicator) {
            EXPECT_TRUE(failed_with(Code::bad_file,
                                    open_file(communicator, name, kCreateReadWrite).status()));
        });
    }
}

TEST(FileOnDisk, ANameThatOneRankCannotReach) {
    const Scratch scratch;
    run_ranks(kRanks, [&](mpi::Communicator& communicator) {
        const bool lost = communicator.rank() == Rank{2};
        const auto file =
            open_file(communicator, scratch.path(lost ? "other" : "f"), kCreateReadWrite);
        EXPECT_TRUE(failed_with(Code::no_such_file, file.status()));
    });
}

TEST(FileOnDisk, PermissionsComeFromTheHint) {
    const Scratch scratch;
    run_ranks(2, [&](mpi::Communicator& communicator) {
        const auto bad = open_file(communicator, scratch.path("f"), kCreateReadWrite,
                                   {{"file_perm", "rw-r--r--"}});
        EXPECT_TRUE(failed_with(Code::info, bad.status()));
    });
    EXPECT_FALSE(testing::exists(scratch.path("f")));
}

}  // namespace
}  // namespace sheaf
