// SPDX-License-Identifier: BSD-3-Clause
#include "frameworks/fcoll/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"

namespace sheaf::fcoll {

namespace {

std::int64_t divide_up(std::int64_t a, std::int64_t b) {
    return a / b + (a % b != 0 ? 1 : 0);
}
std::int64_t round_down(std::int64_t a, std::int64_t unit) {
    return a - a % unit;
}

/// Spreads `count` aggregators evenly over the ranks.
std::vector<Rank> place(std::int64_t count, int ranks) {
    std::vector<Rank> placed;
    for (std::int64_t i = 0; i < count; ++i)
        placed.push_back({static_cast<int>(i * ranks / count)});
    return placed;
}

}  // namespace

ByteRange Plan::window(std::size_t aggregator, std::int64_t round_number) const {
    SHEAF_ASSERT(aggregator < aggregators.size() && 0 <= round_number && round_number < rounds);
    const ByteOffset begin =
        origin + ByteCount{domain.value * static_cast<std::int64_t>(aggregator)};
    const ByteOffset window_begin = begin + ByteCount{round.value * round_number};
    const ByteRange own{window_begin, std::min(begin + domain, window_begin + round)};
    return intersect(own, range);
}

int Plan::index_of(Rank rank) const {
    const auto place = std::ranges::find(aggregators, rank);
    return place == aggregators.end() ? -1 : static_cast<int>(place - aggregators.begin());
}

Plan make_plan(std::span<const Part> parts, const PlanLimits& limits) {
    SHEAF_ASSERT(limits.alignment.value > 0 && limits.round.value > 0 && limits.aggregators > 0);
    Plan plan;
    for (const Part& part : parts) plan.range = hull(plan.range, part.range);
    plan.round = limits.round;
    if (plan.range.empty()) return plan;
    plan.origin = {round_down(plan.range.begin.value, limits.alignment.value)};
    const std::int64_t length = (plan.range.end - plan.origin).value;
    const std::int64_t units = divide_up(length, limits.alignment.value);
    const std::int64_t most = std::min<std::int64_t>({limits.aggregators, limits.ranks, units});
    plan.domain = {divide_up(units, most) * limits.alignment.value};
    plan.aggregators = place(divide_up(length, plan.domain.value), limits.ranks);
    plan.rounds = divide_up(std::min(plan.domain.value, length), plan.round.value);
    return plan;
}

std::string to_string(const Plan& plan) {
    std::string who;
    for (const Rank rank : plan.aggregators)
        who += fmt::format("{}{}", who.empty() ? "" : " ", rank.value);
    return fmt::format("bytes [{}, {}), domains of {} from {}, {} rounds of {}, aggregators {}",
                       plan.range.begin.value, plan.range.end.value, plan.domain.value,
                       plan.origin.value, plan.rounds, plan.round.value, who);
}

}  // namespace sheaf::fcoll
