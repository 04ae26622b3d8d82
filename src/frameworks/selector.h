// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The selector: one template chooses components for all frameworks.

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "base/result.h"
#include "contracts/bid.h"
#include "coord/agreement.h"
#include "mpi/communicator.h"

namespace sheaf {

/// The component that was chosen, and why.
template <class Component>
struct Selection {
    const Component* component = nullptr;
    std::string reason;
};

/// The value of a framework's hint that leaves the choice to the bids.
inline constexpr std::string_view kAutomatic = "auto";

namespace detail {

inline constexpr std::int64_t kCannotServe = -1;

template <class Component>
Status refusal(std::span<const Component* const> table, std::string_view wanted) {
    std::string names;
    for (const Component* component : table)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", component->name);
    return {Code::info, fmt::format("no component {}: there are {}", wanted, names)};
}

/// What one rank knows before the bids are reduced.
template <class Component>
struct Ballot {
    std::size_t forced;  // Index of the component that a hint names; table size when none.
    std::vector<Bid> bids;
    Status status;  // Failed when the forced one does not exist or cannot serve here.
};

template <class Component, class Subject>
Ballot<Component> vote(std::span<const Component* const> table, const Subject& subject,
                       std::string_view wanted) {
    Ballot<Component> ballot{table.size(), {}, {}};
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (table[i]->name == wanted) ballot.forced = i;
        ballot.bids.push_back(table[i]->bid(subject));
    }
    if (ballot.forced < table.size()) {
        const Bid& bid = ballot.bids[ballot.forced];
        if (!bid.priority)
            ballot.status = {Code::unsupported_operation,
                             fmt::format("{} cannot serve: {}", wanted, bid.reason)};
    } else if (wanted != kAutomatic) {
        ballot.status = refusal(table, wanted);
    }
    return ballot;
}

template <class Component>
Result<Selection<Component>> count_votes(std::span<const Component* const> table,
                                         const Ballot<Component>& ballot,
                                         std::span<const std::int64_t> priorities) {
    if (ballot.forced < table.size())
        return Selection<Component>{table[ballot.forced], "forced by hint"};
    std::size_t best = 0;
    for (std::size_t i = 1; i < table.size(); ++i) {
        if (priorities[i] > priorities[best]) best = i;
    }
    if (priorities[best] != kCannotServe)
        return Selection<Component>{table[best], ballot.bids[best].reason};
    return Status{Code::unsupported_operation,
                  fmt::format("no component can serve: {}", ballot.bids[best].reason)};
}

}  // namespace detail

/// Local: for subjects about which all ranks know the same, so that equal bids need no reduction.
/// Fails like select().
template <class Component, class Subject>
Result<Selection<Component>> select_agreed(std::span<const Component* const> table,
                                           const Subject& subject, std::string_view wanted) {
    SHEAF_ASSERT(!table.empty());
    const auto ballot = detail::vote<Component>(table, subject, wanted);
    SHEAF_CHECK(Status(ballot.status));
    std::vector<std::int64_t> priorities;
    for (const Bid& bid : ballot.bids) {
        priorities.push_back(bid.priority.value_or(detail::kCannotServe));
    }
    return detail::count_votes<Component>(table, ballot, priorities);
}

/// Collective. Each rank's components bid on every one of `subjects`; the least bid of any rank
/// counts, so that a component is chosen only if it can serve everywhere; the highest of these
/// wins, the first of the table among equals. `wanted` names a component (a hint's value, equal on
/// all ranks) or is "auto". Fails on all ranks alike when the wanted one does not exist or cannot
/// serve, with the reason of the lowest rank on which it cannot. `mine` rides along: a failure from
/// before. One reduction, whatever the number of subjects. Requires: subjects is not empty.
template <class Component, class Subject>
Result<std::vector<Selection<Component>>> select(std::span<const Component* const> table,
                                                 std::span<const Subject> subjects,
                                                 std::string_view wanted,
                                                 mpi::Communicator& communicator,
                                                 Status mine = {}) {
    SHEAF_ASSERT(!table.empty() && !subjects.empty());
    std::vector<detail::Ballot<Component>> ballots;
    std::vector<std::int64_t> priorities;
    for (const Subject& subject : subjects) {
        ballots.push_back(detail::vote<Component>(table, subject, wanted));
        mine.update(ballots.back().status);
        for (const Bid& bid : ballots.back().bids)
            priorities.push_back(bid.priority.value_or(detail::kCannotServe));
    }
    SHEAF_CHECK(coord::agree(communicator, std::move(mine), priorities));
    std::vector<Selection<Component>> chosen;
    for (std::size_t i = 0; i < subjects.size(); ++i) {
        const auto of_subject =
            std::span<const std::int64_t>(priorities).subspan(i * table.size(), table.size());
        SHEAF_TRY(auto selection, detail::count_votes<Component>(table, ballots[i], of_subject));
        chosen.push_back(std::move(selection));
    }
    return chosen;
}

}  // namespace sheaf
