// SPDX-License-Identifier: BSD-3-Clause
//
// Coverage against a set of bytes, and what every Plan must be.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "frameworks/fcoll/coverage.h"
#include "frameworks/fcoll/plan.h"
#include "support/dealt_views.h"
#include "view/layout.h"

namespace sheaf::fcoll {
namespace {

using testing::Random;

/// Runs a property over 1000 seeds; rapidcheck prints a failing one.
template <class Property>
bool holds(Property property) {
    return rc::check([&](std::uint64_t seed) {
        for (std::uint64_t i = 0; i < 10; ++i) {
            Random random{seed * 10 + i};
            property(random);
        }
    });
}

ByteRange range(std::int64_t begin, std::int64_t end) {
    return {{begin}, {end}};
}

/// A window, the coverage in it, and the same as one flag per byte.
struct Covered {
    ByteRange window;
    Coverage coverage;
    std::vector<bool> bytes;

    [[nodiscard]] bool at(std::int64_t offset) const {
        return bytes[static_cast<std::size_t>(offset - window.begin.value)];
    }
};

Covered random_coverage(Random& random) {
    const std::int64_t begin = random.in(0, 500);
    Covered covered{range(begin, begin + random.in(1, 400)), {}, {}};
    const std::int64_t size = covered.window.size().value;
    covered.bytes.assign(static_cast<std::size_t>(size), false);
    covered.coverage.reset(covered.window);
    for (std::int64_t left = random.in(0, 6); left > 0; --left) {
        const std::int64_t first = random.in(0, size - 1);
        const std::int64_t length = random.in(1, std::min<std::int64_t>(size - first, 90));
        const std::int64_t stride = length + random.in(0, 70);
        const std::int64_t count = random.in(1, (size - first - length) / stride + 1);
        const auto layout = view::strided(count, stride, view::bytes(length).value()).value();
        covered.coverage.add(view::Cursor(view::shifted({begin + first}, layout).value()));
        for (std::int64_t i = 0; i < count; ++i)
            std::fill_n(covered.bytes.begin() + first + i * stride, length, true);
    }
    return covered;
}

/// Maximal ranges of covered bytes, with gaps up to `largest_gap` bridged, the slow way.
std::vector<ByteRange> runs_of(const Covered& covered, std::int64_t largest_gap) {
    std::vector<ByteRange> runs;
    for (std::int64_t at = covered.window.begin.value; at < covered.window.end.value; ++at) {
        if (!covered.at(at)) continue;
        if (!runs.empty() && at - runs.back().end.value <= largest_gap)
            runs.back().end = {at + 1};
        else
            runs.push_back(range(at, at + 1));
    }
    return runs;
}

TEST(Coverage, AgreesWithASetOfBytes) {
    EXPECT_TRUE(holds([](Random& random) {
        const Covered covered = random_coverage(random);
        const auto runs = runs_of(covered, 0);
        RC_ASSERT(covered.coverage.runs({}) == runs);
        const std::int64_t gap = random.in(0, 80);
        RC_ASSERT(covered.coverage.runs({gap}) == runs_of(covered, gap));
        if (runs.empty()) {
            RC_ASSERT(covered.coverage.bounds().empty());
            RC_ASSERT(covered.coverage.holes().empty());
            return;
        }
        RC_ASSERT(covered.coverage.bounds() == (ByteRange{runs.front().begin, runs.back().end}));
        if (runs.size() == 1) {
            RC_ASSERT(covered.coverage.holes().empty());
        } else {
            RC_ASSERT(covered.coverage.holes() == (ByteRange{runs.front().end, runs.back().begin}));
        }
    }));
}

TEST(Coverage, ResetForgets) {
    Coverage coverage;
    coverage.reset(range(0, 128));
    coverage.add(view::Cursor(view::bytes(128).value()));
    coverage.reset(range(64, 96));
    EXPECT_TRUE(coverage.bounds().empty());
    EXPECT_TRUE(coverage.runs({}).empty());
    coverage.reset({});
    EXPECT_TRUE(coverage.runs({}).empty());
    EXPECT_TRUE(coverage.holes().empty());
}

/// Parts and limits of a random call, with the hull of the parts.
struct Call {
    std::vector<Part> parts;
    PlanLimits limits;
    ByteRange hull;
};

Call random_call(Random& random) {
    Call call;
    call.limits.ranks = static_cast<int>(random.in(1, 40));
    call.limits.aggregators = static_cast<int>(random.in(1, 50));
    call.limits.alignment = {random.one_in(3) ? 1 : random.in(1, 5000)};
    call.limits.round = {random.in(1, 9000)};
    const std::int64_t base = random.one_in(4) ? std::int64_t{1} << 60 : 0;
    for (int rank = 0; rank < call.limits.ranks; ++rank) {
        const std::int64_t begin = base + random.in(0, 100'000);
        const std::int64_t size = random.one_in(3) ? 0 : random.in(1, 20'000);
        call.parts.push_back({{0}, {size}, size == 0 ? ByteRange{} : range(begin, begin + size)});
        if (size > 0) call.hull = hull(call.hull, call.parts.back().range);
    }
    return call;
}

/// Windows, in order of aggregator and round, must be the hull of the parts, piece after piece.
void check_windows(const Call& call, const Plan& plan) {
    ByteOffset expected = call.hull.begin;
    for (std::size_t i = 0; i < plan.aggregators.size(); ++i) {
        const ByteOffset domain =
            plan.origin + ByteCount{plan.domain.value * static_cast<std::int64_t>(i)};
        const ByteRange own{domain, domain + plan.domain};
        RC_ASSERT(domain.value % call.limits.alignment.value == 0);
        for (std::int64_t round = 0; round < plan.rounds; ++round) {
            const ByteRange window = plan.window(i, round);
            if (window.empty()) continue;
            RC_ASSERT(window.begin == expected);
            RC_ASSERT(own.contains(window));
            RC_ASSERT(window.size() <= call.limits.round);
            expected = window.end;
        }
    }
    RC_ASSERT(expected == call.hull.end);
}

TEST(Plan, DomainsCoverTheRangeOnce) {
    EXPECT_TRUE(holds([](Random& random) {
        const Call call = random_call(random);
        const Plan plan = make_plan(call.parts, call.limits);
        RC_ASSERT(plan.range == call.hull);
        if (call.hull.empty()) {
            RC_ASSERT(plan.rounds == 0 && plan.aggregators.empty());
            return;
        }
        RC_ASSERT(plan.domain.value % call.limits.alignment.value == 0);
        RC_ASSERT(!plan.aggregators.empty());
        RC_ASSERT(std::ssize(plan.aggregators) <= call.limits.aggregators);
        RC_ASSERT(std::ranges::is_sorted(plan.aggregators));
        RC_ASSERT(std::ranges::adjacent_find(plan.aggregators) == plan.aggregators.end());
        RC_ASSERT(plan.aggregators.back().value < call.limits.ranks);
        check_windows(call, plan);
    }));
}

TEST(Plan, KnowsItsAggregators) {
    const std::vector<Part> parts{{{0}, {100}, range(0, 100)}, {{0}, {100}, range(100, 200)}};
    PlanLimits limits;
    limits.ranks = 4;
    limits.aggregators = 2;
    limits.alignment = {64};
    limits.round = {50};
    const Plan plan = make_plan(parts, limits);
    EXPECT_EQ(plan.aggregators, (std::vector<Rank>{{0}, {2}}));
    EXPECT_EQ(plan.index_of({2}), 1);
    EXPECT_EQ(plan.index_of({1}), -1);
    EXPECT_EQ(plan.window(1, 0), range(128, 178));
    EXPECT_EQ(plan.window(1, 1), range(178, 200));
    EXPECT_EQ(to_string(plan),
              "bytes [0, 200), domains of 128 from 0, 3 rounds of 50, aggregators 0 2");
}

}  // namespace
}  // namespace sheaf::fcoll
