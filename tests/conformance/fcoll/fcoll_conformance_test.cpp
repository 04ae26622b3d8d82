// SPDX-License-Identifier: BSD-3-Clause
//
// contracts/fcoll.h as tests: every component, over ranks that are threads and a file in memory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/components.h"
#include "contracts/fcoll.h"
#include "frameworks/components.h"
#include "support/byte_store.h"
#include "support/bytes.h"
#include "support/dealt_views.h"
#include "support/thread_communicator.h"

namespace sheaf::fcoll {
extern const Component kTemplate;

namespace {

using testing::Bytes;
using testing::ByteStore;
using testing::Deal;
using testing::failed_with;
using testing::GuardedMemory;
using testing::KnownView;
using testing::pattern;
using testing::patterned;
using testing::Random;
using testing::run_ranks;
using testing::same_bytes;
using testing::StoreTransfer;
using testing::succeeded;
using testing::Trouble;

/// One rank's part of a call: data bytes [first, first + count) of its view.
struct Part {
    std::int64_t first = 0;
    std::int64_t count = 0;
    Status precondition;
};

/// A collective call of some ranks, and all that it depends on.
struct Scene {
    std::vector<KnownView> views;
    std::vector<Part> parts;
    hints::HintSet hints;
    fs::Facts facts;
    int cores = 1;
    Bytes file;
    std::vector<std::optional<Trouble>> troubles;  // By rank.
    std::uint64_t seed = 0;                        // Of the memory layouts.

    [[nodiscard]] int ranks() const { return static_cast<int>(views.size()); }
    [[nodiscard]] std::string text() const {
        std::string lines = fmt::format(
            "file of {} bytes, cb_buffer_size {}, cb_nodes {}, blocks of {}, stripes of {}\n",
            file.size(), hints.word("cb_buffer_size"), hints.word("cb_nodes"),
            facts.block_size.value, facts.stripe_size.value);
        for (std::size_t rank = 0; rank < views.size(); ++rank) {
            lines += fmt::format("rank {}: bytes [{}, {}) of {}\n", rank, parts[rank].first,
                                 parts[rank].first + parts[rank].count, views[rank].text());
        }
        return lines;
    }
};

/// What one rank saw.
struct Seen {
    fbtl::Transferred moved;
    Bytes data;
    ::testing::AssertionResult guards = ::testing::AssertionFailure();
    std::int64_t reads = 0;
    std::int64_t writes = 0;
    bool fired = false;
};

/// What came of a call.
struct Outcome {
    std::vector<Seen> ranks;
    Bytes file;
    std::vector<bool> written;
};

Seen run_rank(const Component& component, const Scene& scene, Direction direction, ByteStore& store,
              mpi::Communicator& communicator) {
    const int rank = communicator.rank().value;
    const auto me = static_cast<std::size_t>(rank);
    const Part& part = scene.parts[me];
    Random random(scene.seed * 100 + me);
    GuardedMemory memory(part.count, random);
    if (direction == Direction::write) memory.fill(patterned(rank, part.count));
    StoreTransfer transfer(store);
    if (scene.troubles[me]) transfer.arm(*scene.troubles[me]);
    const std::string path = "/store";
    const FileContext context{communicator, path,          scene.hints, scene.facts,
                              transfer,     scene.ranks(), scene.cores};
    const auto access = component.make(context, scene.views[me].view);
    Seen seen;
    // Twice, since algorithms keep what they learnt of a view. Faults come the first time.
    for (int turn = 0; turn < 2; ++turn) {
        seen.moved =
            access->transfer({direction, memory.memory(), {part.first}, part.precondition});
        if (!seen.moved.status.ok()) break;
    }
    seen.data = memory.data();
    seen.guards = memory.guards_untouched();
    seen.reads = transfer.reads();
    seen.writes = transfer.writes();
    seen.fired = transfer.fired();
    return seen;
}

Outcome run(const Component& component, const Scene& scene, Direction direction) {
    ByteStore store(scene.file);
    Outcome outcome;
    outcome.ranks.resize(scene.views.size());
    run_ranks(scene.ranks(), [&](mpi::Communicator& communicator) {
        outcome.ranks[static_cast<std::size_t>(communicator.rank().value)] =
            run_rank(component, scene, direction, store, communicator);
    });
    outcome.file = store.bytes();
    outcome.written = store.written();
    return outcome;
}

/// Calls `body(offset, index of the data byte in the part)` for each byte of a rank's part.
template <class Body>
void for_each_byte(const Scene& scene, std::size_t rank, Body body) {
    const Part& part = scene.parts[rank];
    if (!part.precondition.ok()) return;
    for (std::int64_t i = 0; i < part.count; ++i)
        body(static_cast<std::size_t>(scene.views[rank].offset_of(part.first + i)), i);
}

/// The file after a write of everybody. Views are disjoint.
Bytes file_after(const Scene& scene) {
    Bytes file = scene.file;
    for (std::size_t rank = 0; rank < scene.views.size(); ++rank) {
        for_each_byte(scene, rank, [&](std::size_t offset, std::int64_t i) {
            if (file.size() <= offset) file.resize(offset + 1);
            file[offset] = pattern(static_cast<int>(rank), i);
        });
    }
    return file;
}

void check_write(const Scene& scene, const Outcome& outcome) {
    EXPECT_TRUE(same_bytes(file_after(scene), outcome.file));
    for (std::size_t rank = 0; rank < outcome.ranks.size(); ++rank) {
        const Seen& seen = outcome.ranks[rank];
        EXPECT_TRUE(succeeded(seen.moved.status)) << "rank " << rank;
        EXPECT_EQ(seen.moved.bytes.value, scene.parts[rank].count) << "rank " << rank;
        EXPECT_TRUE(seen.guards) << "rank " << rank;
        EXPECT_TRUE(
            same_bytes(patterned(static_cast<int>(rank), scene.parts[rank].count), seen.data))
            << "the memory written from, rank " << rank;
    }
}

void check_read(const Scene& scene, const Outcome& outcome) {
    EXPECT_TRUE(same_bytes(scene.file, outcome.file));
    for (std::size_t rank = 0; rank < outcome.ranks.size(); ++rank) {
        const Seen& seen = outcome.ranks[rank];
        Bytes expected;
        for_each_byte(scene, rank, [&](std::size_t offset, std::int64_t i) {
            const bool all_before = std::ssize(expected) == i;
            if (all_before && offset < scene.file.size()) expected.push_back(scene.file[offset]);
        });
        EXPECT_TRUE(succeeded(seen.moved.status)) << "rank " << rank;
        EXPECT_EQ(seen.moved.bytes.value, std::ssize(expected)) << "rank " << rank;
        EXPECT_TRUE(same_bytes(expected, std::span(seen.data).first(expected.size())))
            << "rank " << rank;
        EXPECT_TRUE(seen.guards) << "rank " << rank;
    }
}

/// Parts of the size of up to three tiles, from different places on; some ranks ask for nothing.
std::vector<Part> deal_parts(const std::vector<KnownView>& views, Random& random) {
    std::vector<Part> parts;
    for (const KnownView& view : views) {
        const std::int64_t size = std::ssize(view.tile);
        Part part;
        if (size > 0 && !random.one_in(5)) {
            part.first = random.one_in(2) ? 0 : random.in(0, 2 * size);
            part.count = random.in(0, std::min<std::int64_t>(3 * size, 600));
        }
        parts.push_back(part);
    }
    return parts;
}

void set_hint(Scene& scene, const std::string& name, std::int64_t value) {
    scene.hints.set({{name, std::to_string(value)}}, "test", hints::Changes::at_open);
}

/// A call of `ranks` ranks over a file that ends somewhere in what they ask for.
Scene deal_scene(Deal deal, int ranks, std::uint64_t seed) {
    Random random(seed);
    Scene scene;
    scene.seed = seed;
    scene.views = testing::deal_views(deal, ranks, random);
    scene.parts = deal_parts(scene.views, random);
    scene.troubles.resize(scene.views.size());
    std::int64_t end = 0;
    for (std::size_t rank = 0; rank < scene.views.size(); ++rank) {
        for_each_byte(scene, rank, [&](std::size_t offset, std::int64_t) {
            end = std::max(end, static_cast<std::int64_t>(offset) + 1);
        });
    }
    scene.file = patterned(77, random.one_in(3) ? end + 10 : random.in(0, end));
    scene.facts.block_size = {random.one_in(2) ? 1 : random.in(1, 300)};
    if (random.one_in(3)) scene.facts.stripe_size = {random.in(1, 200)};
    scene.cores = static_cast<int>(random.in(1, 8));
    set_hint(scene, "cb_buffer_size", random.one_in(2) ? random.in(10, 200) : 4096);
    set_hint(scene, "cb_nodes", random.in(0, ranks));
    return scene;
}

class CollectiveTest : public ::testing::TestWithParam<const Component*> {
protected:
    static Outcome run(const Scene& scene, Direction direction) {
        return fcoll::run(*GetParam(), scene, direction);
    }
};

constexpr std::array kRankCounts{1, 2, 3, 4, 7};
constexpr std::uint64_t kScenes = 3;

/// Calls `body` with many scenes of a kind, and says which one it was when it fails.
template <class Body>
void with_scenes(std::span<const Deal> deals, Body body) {
    for (const int ranks : kRankCounts) {
        for (const Deal deal : deals) {
            for (std::uint64_t seed = 1; seed <= kScenes; ++seed) {
                const Scene scene = deal_scene(deal, ranks, seed);
                SCOPED_TRACE(fmt::format("deal {}, seed {}\n{}", static_cast<int>(deal), seed,
                                         scene.text()));
                body(scene);
                if (::testing::Test::HasFailure()) return;
            }
        }
    }
}

constexpr std::array kDisjoint{Deal::segments, Deal::vectors, Deal::subarrays, Deal::indexed};

TEST_P(CollectiveTest, WritesEveryByteAndKeepsTheHoles) {
    with_scenes(kDisjoint,
                [](const Scene& scene) { check_write(scene, run(scene, Direction::write)); });
}

TEST_P(CollectiveTest, ReadsEveryByteUpToTheEnd) {
    with_scenes(kDisjoint,
                [](const Scene& scene) { check_read(scene, run(scene, Direction::read)); });
}

TEST_P(CollectiveTest, RanksMayReadTheSameBytes) {
    constexpr std::array kShared{Deal::shared_bytes};
    with_scenes(kShared,
                [](const Scene& scene) { check_read(scene, run(scene, Direction::read)); });
}

TEST_P(CollectiveTest, AViewMayShowAByteTwice) {
    const std::vector<std::int64_t> places{0, 3, 4, 4, 9};
    const auto layout = view::indexed({places, {}, 0}, view::bytes(5).value()).value();
    for (std::int64_t size = 0; size < 60; size += 3) {
        Scene scene = deal_scene(Deal::segments, 3, 5);
        for (std::size_t rank = 0; rank < 3; ++rank) {
            scene.views[rank] = testing::known_view(static_cast<std::int64_t>(rank), layout, 17);
            scene.parts[rank] = {2, 40 + static_cast<std::int64_t>(rank), {}};
        }
        scene.file = patterned(7, size);
        SCOPED_TRACE(scene.text());
        check_read(scene, run(scene, Direction::read));
    }
}

TEST_P(CollectiveTest, NobodyAsksForAnything) {
    for (const int ranks : kRankCounts) {
        Scene scene = deal_scene(Deal::vectors, ranks, 1);
        std::ranges::fill(scene.parts, Part{});
        check_write(scene, run(scene, Direction::write));
        check_read(scene, run(scene, Direction::read));
    }
}

TEST_P(CollectiveTest, EndOfFileIsExactAtEveryByte) {
    Scene scene = deal_scene(Deal::vectors, 3, 3);
    for (Part& part : scene.parts) part = {1, 2 * std::ssize(scene.views[0].tile), {}};
    set_hint(scene, "cb_buffer_size", 7);
    const std::int64_t end = std::min<std::int64_t>(90, std::ssize(file_after(scene)));
    for (std::int64_t size = 0; size <= end; ++size) {
        scene.file = patterned(7, size);
        SCOPED_TRACE(scene.text());
        check_read(scene, run(scene, Direction::read));
        if (HasFailure()) return;
    }
}

TEST_P(CollectiveTest, EveryNumberOfAggregators) {
    for (const std::int64_t nodes : {0, 1, 3, 6, 8}) {
        for (const std::int64_t buffer : {13, 100'000}) {
            Scene scene = deal_scene(Deal::vectors, 7, 4);
            set_hint(scene, "cb_nodes", nodes);
            set_hint(scene, "cb_buffer_size", buffer);
            SCOPED_TRACE(scene.text());
            check_write(scene, run(scene, Direction::write));
            check_read(scene, run(scene, Direction::read));
        }
    }
}

TEST_P(CollectiveTest, WithForeignWritersOnlyOwnBytesAreWritten) {
    constexpr std::array kWithHoles{Deal::subarrays, Deal::indexed};
    with_scenes(kWithHoles, [](const Scene& made) {
        Scene scene = made;
        scene.hints.set({{"sheaf_foreign_writers", "true"}}, "test", hints::Changes::at_open);
        const Outcome outcome = run(scene, Direction::write);
        check_write(scene, outcome);
        std::vector<bool> own(outcome.written.size());
        for (std::size_t rank = 0; rank < scene.views.size(); ++rank)
            for_each_byte(scene, rank,
                          [&](std::size_t offset, std::int64_t) { own[offset] = true; });
        for (std::size_t offset = 0; offset < own.size(); ++offset)
            EXPECT_EQ(own[offset], outcome.written[offset]) << "byte " << offset;
    });
}

TEST_P(CollectiveTest, AFileThatCannotBeReadIsWrittenAllTheSame) {
    with_scenes(kDisjoint, [](const Scene& made) {
        Scene scene = made;
        scene.facts.readable = false;
        for (auto& trouble : scene.troubles)
            trouble = Trouble{Direction::read, 1, {Code::access, "not open for reading"}};
        check_write(scene, run(scene, Direction::write));
    });
}

TEST_P(CollectiveTest, ARankWhosePreconditionFailed) {
    for (const int ranks : kRankCounts) {
        for (const Direction direction : {Direction::read, Direction::write}) {
            for (std::size_t bad = 0; bad < static_cast<std::size_t>(ranks); ++bad) {
                Scene scene = deal_scene(Deal::vectors, ranks, 6);
                scene.parts[bad].precondition = {Code::count, "the count is negative"};
                SCOPED_TRACE(fmt::format("bad rank {}\n{}", bad, scene.text()));
                const Outcome outcome = run(scene, direction);
                for (std::size_t rank = 0; rank < outcome.ranks.size(); ++rank) {
                    const Status& status = outcome.ranks[rank].moved.status;
                    EXPECT_TRUE(failed_with(Code::count, status)) << "rank " << rank;
                    EXPECT_NE(status.text().find("the count is negative"), std::string::npos);
                    const bool names_it = status.text().starts_with(fmt::format("rank {} ", bad));
                    EXPECT_EQ(names_it, rank != bad) << status.text();
                }
            }
        }
    }
}

/// Every rank must have failed: where trouble came up with that rank's code, elsewhere with the
/// code of the lowest such rank. Without trouble all must be well.
void check_failure(const Scene& scene, const Outcome& outcome) {
    std::optional<std::size_t> lowest;
    for (std::size_t rank = outcome.ranks.size(); rank-- > 0;) {
        if (outcome.ranks[rank].fired) lowest = rank;
    }
    for (std::size_t rank = 0; rank < outcome.ranks.size(); ++rank) {
        const Seen& seen = outcome.ranks[rank];
        EXPECT_TRUE(seen.guards) << "rank " << rank;
        if (!lowest) {
            EXPECT_TRUE(succeeded(seen.moved.status)) << "rank " << rank;
            continue;
        }
        const std::size_t source = seen.fired ? rank : *lowest;
        EXPECT_TRUE(failed_with(scene.troubles[source]->failure.code(), seen.moved.status))
            << "rank " << rank;
        EXPECT_EQ(seen.moved.status.text().starts_with(fmt::format("rank {} ", *lowest)),
                  !seen.fired)
            << seen.moved.status.text();
    }
}

/// First, middle and last of `uses` calls.
std::vector<std::int64_t> places_among(std::int64_t uses) {
    std::vector<std::int64_t> places;
    for (const std::int64_t nth : {std::int64_t{1}, (uses + 1) / 2, uses}) {
        if (0 < nth && nth <= uses && (places.empty() || places.back() != nth))
            places.push_back(nth);
    }
    return places;
}

class FailingCollectiveTest : public CollectiveTest {
protected:
    /// Lets each rank in turn fail at the first, the middle and the last call of one kind.
    static void fail_each_rank(const Scene& scene, Direction direction, Direction failing) {
        const Outcome clean = run(scene, direction);
        for (std::size_t rank = 0; rank < scene.views.size(); ++rank) {
            const Seen& seen = clean.ranks[rank];
            // Two calls were made: places among those of the first.
            const auto uses = (failing == Direction::read ? seen.reads : seen.writes) / 2;
            for (const std::int64_t nth : places_among(uses)) {
                Scene troubled = scene;
                const bool reads = failing == Direction::read;
                troubled.troubles[rank] =
                    Trouble{failing, nth,
                            reads ? Status{Code::io, "broken"} : Status{Code::no_space, "full"}};
                SCOPED_TRACE(fmt::format("rank {} fails at {} {}\n{}", rank,
                                         reads ? "read" : "write", nth, scene.text()));
                const Outcome outcome = run(troubled, direction);
                EXPECT_TRUE(outcome.ranks[rank].fired);
                check_failure(troubled, outcome);
            }
        }
    }
};

TEST_P(FailingCollectiveTest, StorageFailsOnOneRank) {
    for (const int ranks : {1, 2, 4}) {
        for (const Deal deal : kDisjoint) {
            const Scene scene = deal_scene(deal, ranks, 21);
            fail_each_rank(scene, Direction::write, Direction::write);
            fail_each_rank(scene, Direction::write, Direction::read);
            fail_each_rank(scene, Direction::read, Direction::read);
            if (HasFailure()) return;
        }
    }
}

TEST_P(FailingCollectiveTest, StorageFailsOnSeveralRanks) {
    for (unsigned failing = 1; failing < 16; ++failing) {
        Scene scene = deal_scene(Deal::vectors, 4, 30);
        for (std::size_t rank = 0; rank < 4; ++rank) {
            if ((failing >> rank & 1U) == 0) continue;
            const Code code = rank % 2 == 0 ? Code::no_space : Code::disk_quota;
            scene.troubles[rank] = Trouble{Direction::write, 1, {code, "full"}};
        }
        SCOPED_TRACE(fmt::format("failing ranks {:#b}\n{}", failing, scene.text()));
        check_failure(scene, run(scene, Direction::write));
    }
}

TEST_P(CollectiveTest, BidsAreRepeatableAndGiveReasons) {
    run_ranks(2, [](mpi::Communicator& communicator) {
        ByteStore store;
        StoreTransfer transfer(store);
        const hints::HintSet hints;
        const fs::Facts facts;
        const std::string path = "/store";
        const FileContext context{communicator, path, hints, facts, transfer, 2, 2};
        for (const Direction direction : {Direction::read, Direction::write}) {
            for (const std::int64_t piece : {0, 8, 100'000}) {
                const ViewSummary summary{piece == 0, {piece}, 0.5};
                const Candidate candidate{context, summary, direction};
                const Bid bid = GetParam()->bid(candidate);
                EXPECT_EQ(bid.priority, GetParam()->bid(candidate).priority);
                EXPECT_FALSE(bid.reason.empty());
                if (bid.priority) {
                    EXPECT_TRUE(*bid.priority >= 0 && *bid.priority <= 100);
                }
            }
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Every, CollectiveTest,
                         ::testing::ValuesIn(testing::with_template(components(), kTemplate)),
                         testing::component_name<Component>);
INSTANTIATE_TEST_SUITE_P(Every, FailingCollectiveTest,
                         ::testing::ValuesIn(testing::with_template(components(), kTemplate)),
                         testing::component_name<Component>);

}  // namespace
}  // namespace sheaf::fcoll
