// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Plan: who does I/O for which bytes, in how many rounds. A value: printable, testable, without
/// I/O.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/types.h"

namespace sheaf::fcoll {

/// One rank's part of a collective call, as every rank knows it.
struct Part {
    ByteCount first;  // Data position in the rank's view.
    ByteCount count;  // Data bytes; 0 = takes part with nothing.
    ByteRange range;  // Hull in the file; empty when count is 0.
};

/// What the plan is made of besides the parts.
struct PlanLimits {
    int ranks = 1;
    int aggregators = 1;     // At most; fewer when there is little to do.
    ByteCount alignment{1};  // Stripe size: domains begin and end at its multiples.
    ByteCount round{1};      // Bytes of file range that an aggregator handles at once.
};

/// File domains and rounds of one collective call, equal on all ranks.
struct Plan {
    ByteRange range;    // Of all parts together.
    ByteOffset origin;  // range.begin, rounded down to the alignment: where domain 0 begins.
    ByteCount domain;   // Bytes per aggregator, a multiple of the alignment.
    ByteCount round;
    std::vector<Rank> aggregators;
    std::int64_t rounds = 0;  // 0 = nothing to do.

    /// What the aggregator with this index handles in this round; may be empty.
    [[nodiscard]] ByteRange window(std::size_t aggregator, std::int64_t round_number) const;
    /// This rank's index among the aggregators, -1 when it is none.
    [[nodiscard]] int index_of(Rank rank) const;
};

/// Local and pure: equal arguments give equal plans.
[[nodiscard]] Plan make_plan(std::span<const Part> parts, const PlanLimits& limits);

/// One line for people and traces.
[[nodiscard]] std::string to_string(const Plan& plan);

}  // namespace sheaf::fcoll
