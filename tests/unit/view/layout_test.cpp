// SPDX-License-Identifier: BSD-3-Clause
#include "view/layout.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <set>

#include "oracle.h"

namespace sheaf::view {
namespace {

using testing::any_sample;
using testing::Draw;
using testing::file_sample;
using testing::holds;
using testing::Offsets;
using testing::Sample;

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Layout of(Result<Layout> layout) {
    return std::move(layout).value();
}

Layout words(std::int64_t count, std::int64_t stride, std::int64_t size) {
    return of(strided(count, stride, of(bytes(size))));
}

Layout listed(const Offsets& displacements, const Offsets& lengths, std::int64_t stride,
              const Layout& child) {
    return of(indexed({displacements, lengths, stride}, child));
}

TEST(Layout, NormalFormsAreSmall) {
    EXPECT_EQ(to_string(of(bytes(0))), "nothing");
    EXPECT_EQ(to_string(of(bytes(8))), "8@0");
    EXPECT_EQ(to_string(words(10, 16, 8)), "strided(10, 16, 8)@0");
    EXPECT_EQ(to_string(words(10, 8, 8)), "80@0");
    EXPECT_EQ(to_string(words(1, 16, 8)), "8@0");
    EXPECT_EQ(to_string(words(0, 16, 8)), "nothing");
    EXPECT_EQ(to_string(of(strided(3, 160, words(10, 16, 8)))), "strided(30, 16, 8)@0");
    EXPECT_EQ(to_string(of(strided(3, 200, words(10, 16, 8)))),
              "strided(3, 200, strided(10, 16, 8))@0");
    EXPECT_EQ(to_string(of(shifted({-4}, words(2, -8, 4)))), "strided(2, -8, 4)@-4");
}

TEST(Layout, IndexedNormalises) {
    const Layout four = of(bytes(4));
    EXPECT_EQ(to_string(listed({0, 8, 24}, {}, 4, four)), "indexed([0 8 24], 4)@0");
    EXPECT_EQ(to_string(listed({0, 8, 16}, {}, 4, four)), "strided(3, 8, 4)@0");
    EXPECT_EQ(to_string(listed({0, 4, 16}, {}, 4, four)), "blocks([0:8 16:4], 1, 1)@0");
    EXPECT_EQ(to_string(listed({4, 100, 20}, {2, 0, 3}, 4, four)), "blocks([0:8 16:12], 1, 1)@4");
    EXPECT_EQ(to_string(listed({0, 8}, {2, 2}, 4, four)), "16@0");
    EXPECT_EQ(to_string(listed({0, 8}, {2, 1}, 6, four)), "blocks([0:2 8:1], 6, 4)@0");
    EXPECT_EQ(to_string(listed({0, 100, 120}, {1, 1, 1}, 4, words(2, 8, 4))),
              "indexed([0 100 120], strided(2, 8, 4))@0");
    EXPECT_EQ(to_string(listed({}, {}, 4, four)), "nothing");
}

TEST(Layout, StructsNormalise) {
    const auto make = [](const std::vector<Part>& parts) {
        return to_string(of(structure(parts)));
    };
    const Layout four = of(bytes(4));
    const Layout comb = words(2, 16, 8);
    EXPECT_EQ(make({{{0}, four}, {{4}, of(bytes(8))}}), "12@0");
    EXPECT_EQ(make({{{0}, four}, {{8}, of(bytes(8))}}), "blocks([0:4 8:8], 1, 1)@0");
    EXPECT_EQ(make({{{0}, four}, {{8}, four}}), "strided(2, 8, 4)@0");
    EXPECT_EQ(make({{{0}, comb}, {{64}, comb}}), "strided(2, 64, strided(2, 16, 8))@0");
    EXPECT_EQ(make({{{8}, four}, {{64}, comb}}), "struct(0:4, 56:strided(2, 16, 8))@8");
    const Layout inner = of(structure(std::vector<Part>{{{8}, four}, {{64}, comb}}));
    EXPECT_EQ(make({{{-4}, four}, {{0}, inner}}), "struct(0:4, 12:4, 68:strided(2, 16, 8))@-4");
    EXPECT_EQ(make({}), "nothing");
}

TEST(Layout, ManyPiecesCostNothing) {
    const Layout rows = words(1'000'000, 16, 8);
    const Layout tile = of(strided(1'000'000, 64'000'000, rows));
    EXPECT_EQ(tile.pieces(), 1'000'000'000'000);
    EXPECT_EQ(tile.depth(), 3);
    EXPECT_TRUE(tile.monotone());
    EXPECT_FALSE(tile.may_overlap());
    EXPECT_EQ(words(1'000'000'000'000'000'000, 8, 1).pieces(), 1'000'000'000'000'000'000);
}

TEST(Layout, WrongArgumentsAreRefused) {
    EXPECT_EQ(bytes(-1).status().code(), Code::count);
    EXPECT_EQ(strided(-1, 8, of(bytes(1))).status().code(), Code::count);
    EXPECT_EQ(indexed({Offsets{0}, Offsets{-1}, 1}, of(bytes(1))).status().code(), Code::count);
    EXPECT_EQ(indexed({Offsets{0}, Offsets{1, 2}, 1}, of(bytes(1))).status().code(),
              Code::argument);
}

TEST(Layout, OverflowIsRefused) {
    const Layout eight = of(bytes(8));
    EXPECT_EQ(strided(kMost / 8 + 1, 8, eight).status().code(), Code::overflow);
    EXPECT_EQ(strided(3, kMost / 2, eight).status().code(), Code::overflow);
    EXPECT_EQ(strided(3, -(kMost / 2), eight).status().code(), Code::overflow);
    EXPECT_EQ(shifted({kMost - 7}, eight).status().code(), Code::overflow);
    EXPECT_TRUE(shifted({kMost - 8}, eight).ok());
    EXPECT_EQ(indexed({Offsets{-kMost, kMost - 9}, {}, 8}, eight).status().code(), Code::overflow);
    EXPECT_EQ(indexed({Offsets{0, 9}, Offsets{kMost, 1}, 8}, eight).status().code(),
              Code::overflow);
    EXPECT_TRUE(strided(kMost / 8, 8, eight).ok());
}

TEST(Layout, DepthIsBounded) {
    Layout layout = words(2, 16, 8);
    Status status;
    for (int level = 1; level < 40 * kMaxDepth && status.ok(); ++level) {
        const std::vector<Part> parts{{{100LL * level}, of(bytes(1))}, {{0}, layout}};
        auto next = structure(parts);
        status = next.status();
        if (next.ok()) layout = *next;
    }
    EXPECT_EQ(status.code(), Code::unsupported_operation);
    EXPECT_EQ(layout.depth(), kMaxDepth);
}

/// Properties of the pieces of a sample, the slow way.
struct Facts {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    bool ascending = true;  // No byte before one that came earlier.
    bool overlap = false;
};

Facts facts_of(const Offsets& bytes) {
    Facts facts;
    if (bytes.empty()) return facts;
    facts.begin = *std::min_element(bytes.begin(), bytes.end());
    facts.end = *std::max_element(bytes.begin(), bytes.end()) + 1;
    facts.ascending = std::is_sorted(bytes.begin(), bytes.end());
    facts.overlap = std::set<std::int64_t>(bytes.begin(), bytes.end()).size() != bytes.size();
    return facts;
}

void check_measures(const Sample& sample) {
    const Facts facts = facts_of(sample.bytes);
    const Layout& layout = sample.layout;
    RC_ASSERT(layout.size().value == static_cast<std::int64_t>(sample.bytes.size()));
    RC_ASSERT(layout.bounds() == (ByteRange{{facts.begin}, {facts.end}}));
    if (facts.overlap) RC_ASSERT(layout.may_overlap());
    if (facts.ascending && !facts.overlap) RC_ASSERT(layout.monotone());
    if (layout.monotone()) RC_ASSERT(facts.overlap == layout.may_overlap());
    if (layout.empty()) return;
    RC_ASSERT(layout.origin().value == sample.bytes.front());
    if (layout.contiguous()) RC_ASSERT(layout.bounds().size() == layout.size());
}

TEST(Layout, MeasuresAgreeWithTheFlatList) {
    EXPECT_TRUE(holds([](Draw& draw) { check_measures(any_sample(draw, 5)); }));
}

TEST(Layout, FileLayoutsAreMonotoneAndDisjoint) {
    EXPECT_TRUE(holds([](Draw& draw) {
        const Sample sample = file_sample(draw, 5);
        check_measures(sample);
        RC_ASSERT(sample.layout.monotone());
        RC_ASSERT(!sample.layout.may_overlap());
    }));
}

TEST(Layout, DataBeforeCountsBytes) {
    EXPECT_TRUE(holds([](Draw& draw) {
        const Sample sample = file_sample(draw, 5);
        const std::int64_t end = sample.layout.bounds().end.value;
        for (std::int64_t offset = -2; offset < end + 3; ++offset) {
            const auto before = std::count_if(sample.bytes.begin(), sample.bytes.end(),
                                              [=](std::int64_t at) { return at < offset; });
            RC_ASSERT(data_before(sample.layout, {offset}).value == before);
        }
    }));
}

TEST(Layout, DataBeforeIsAPrefixWherePiecesOverlap) {
    int monotone = 0;
    EXPECT_TRUE(holds([&](Draw& draw) {
        for (int i = 0; i < 20; ++i) {
            const Sample sample = any_sample(draw, 4);
            if (!sample.layout.monotone() || sample.layout.empty()) continue;
            ++monotone;
            const ByteRange bounds = sample.layout.bounds();
            for (std::int64_t at = bounds.begin.value - 1; at <= bounds.end.value + 1; ++at) {
                const auto prefix = std::find_if(sample.bytes.begin(), sample.bytes.end(),
                                                 [=](std::int64_t byte) { return byte >= at; });
                RC_ASSERT(data_before(sample.layout, {at}).value == prefix - sample.bytes.begin());
            }
        }
    }));
    EXPECT_GT(monotone, 50);
}

TEST(Layout, EqualStructureIsEqualWhereverItWasBuilt) {
    EXPECT_TRUE(rc::check([](std::uint64_t seed) {
        Draw draw{seed};
        Draw again{seed};
        const Sample sample = any_sample(draw, 5);
        const Sample twin = any_sample(again, 5);
        RC_ASSERT(sample.layout == twin.layout);
        RC_ASSERT(sample.layout.hash() == twin.layout.hash());
        const Layout moved = of(shifted({1}, sample.layout));
        if (!sample.layout.empty()) RC_ASSERT(!(moved == sample.layout));
        RC_ASSERT(of(shifted({-1}, moved)) == sample.layout);
    }));
}

}  // namespace
}  // namespace sheaf::view
