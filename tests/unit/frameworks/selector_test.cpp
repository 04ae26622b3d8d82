// SPDX-License-Identifier: BSD-3-Clause
#include "frameworks/selector.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support/bytes.h"
#include "support/thread_communicator.h"

namespace sheaf {
namespace {

using testing::failed_with;
using testing::run_ranks;
using testing::succeeded;

/// What the components of these tests bid on: the bids themselves, in the order of the table.
struct Subject {
    std::array<std::optional<int>, 3> priorities;
    std::string where = "here";
};

template <std::size_t index>
Bid bid(const Subject& subject) {
    const auto priority = subject.priorities[index];
    return {priority, (priority ? "serves " : "refuses ") + subject.where};
}

struct Toy {
    std::string_view name;
    Bid (*bid)(const Subject& subject);
};

constexpr Toy kRed{"red", bid<0>};
constexpr Toy kGreen{"green", bid<1>};
constexpr Toy kBlue{"blue", bid<2>};
constexpr std::array<const Toy*, 3> kTable{&kRed, &kGreen, &kBlue};

using Outcome = Result<std::vector<Selection<Toy>>>;

/// Runs the selection on as many ranks as there are lists of subjects.
std::vector<Outcome> choose(const std::vector<std::vector<Subject>>& by_rank,
                            std::string_view wanted, const Status& mine_on_last = {}) {
    std::vector<Outcome> outcomes(by_rank.size(), Outcome(Status{Code::internal, "did not run"}));
    run_ranks(static_cast<int>(by_rank.size()), [&](mpi::Communicator& communicator) {
        const auto rank = static_cast<std::size_t>(communicator.rank().value);
        const bool last = rank + 1 == by_rank.size();
        outcomes[rank] = select<Toy, Subject>(kTable, by_rank[rank], wanted, communicator,
                                              last ? mine_on_last : Status{});
    });
    return outcomes;
}

/// The name that every rank chose for the first subject.
std::string chosen(const std::vector<std::vector<Subject>>& by_rank,
                   std::string_view wanted = kAutomatic) {
    std::string name;
    for (const Outcome& outcome : choose(by_rank, wanted)) {
        if (!outcome.ok()) return std::string(outcome.status().text());
        const std::string mine((*outcome)[0].component->name);
        EXPECT_TRUE(name.empty() || name == mine) << name << " and " << mine;
        name = mine;
    }
    return name;
}

TEST(Selector, TheHighestBidWins) {
    EXPECT_EQ(chosen({{{{10, 60, 50}}}}), "green");
    EXPECT_EQ(chosen({{{{10, std::nullopt, 50}}}}), "blue");
    EXPECT_EQ(chosen({{{{0, std::nullopt, std::nullopt}}}}), "red");
}

TEST(Selector, AmongEqualsTheFirstOfTheTable) {
    EXPECT_EQ(chosen({{{{10, 50, 50}}}}), "green");
    EXPECT_EQ(chosen({{{{7, 7, 7}}}, {{{7, 7, 7}}}}), "red");
}

TEST(Selector, TheLeastBidOfAnyRankCounts) {
    EXPECT_EQ(chosen({{{{90, 50, 10}}}, {{{20, 60, 10}}}}), "green");
    EXPECT_EQ(chosen({{{{90, 50, 10}}}, {{{std::nullopt, 40, 90}}}, {{{90, 90, 90}}}}), "green");
}

TEST(Selector, EachSubjectHasAChoiceOfItsOwn) {
    for (const Outcome& outcome :
         choose({{{{9, 1, 1}}, {{1, 1, 9}}}, {{{9, 9, 9}}, {{9, 9, 9}}}}, kAutomatic)) {
        ASSERT_TRUE(succeeded(outcome.status()));
        EXPECT_EQ((*outcome)[0].component->name, "red");
        EXPECT_EQ((*outcome)[1].component->name, "blue");
        EXPECT_EQ((*outcome)[0].reason, "serves here");
    }
}

TEST(Selector, AHintForces) {
    EXPECT_EQ(chosen({{{{90, 50, 0}}}, {{{90, 50, 0}}}}, "blue"), "blue");
    const auto outcomes = choose({{{{90, 50, 0}}}}, "blue");
    EXPECT_EQ((*outcomes[0])[0].reason, "forced by hint");
}

TEST(Selector, AnUnknownNameListsTheTable) {
    for (const Outcome& outcome : choose({{{{1, 1, 1}}}, {{{1, 1, 1}}}}, "pink")) {
        EXPECT_TRUE(failed_with(Code::info, outcome.status()));
        EXPECT_NE(outcome.status().text().find("no component pink: there are red, green, blue"),
                  std::string::npos)
            << outcome.status().text();
    }
}

TEST(Selector, AForcedOneThatCannotServeSaysWhyOnAllRanks) {
    const auto outcomes = choose(
        {{{{1, 1, 1}, "on 0"}}, {{{1, std::nullopt, 1}, "on 1"}}, {{{1, std::nullopt, 1}, "on 2"}}},
        "green");
    for (const Outcome& outcome : outcomes)
        EXPECT_TRUE(failed_with(Code::unsupported_operation, outcome.status()));
    const std::string text(outcomes[0].status().text());
    EXPECT_TRUE(text.starts_with("rank 1 ")) << text;
    EXPECT_NE(text.find("green cannot serve: refuses on 1; 1 other rank failed too"),
              std::string::npos)
        << text;
    EXPECT_EQ(outcomes[2].status().text(), "green cannot serve: refuses on 2");
}

TEST(Selector, NobodyCanServe) {
    // Each rank could, but no component serves on all.
    const auto outcomes = choose(
        {{{{1, std::nullopt, std::nullopt}}}, {{{std::nullopt, 1, std::nullopt}}}}, kAutomatic);
    for (const Outcome& outcome : outcomes) {
        EXPECT_TRUE(failed_with(Code::unsupported_operation, outcome.status()));
        EXPECT_NE(outcome.status().text().find("no component can serve"), std::string::npos);
    }
}

TEST(Selector, AnEarlierFailureRidesAlong) {
    for (const Outcome& outcome :
         choose({{{{1, 1, 1}}}, {{{1, 1, 1}}}}, kAutomatic, {Code::no_memory, "before"})) {
        EXPECT_TRUE(failed_with(Code::no_memory, outcome.status()));
    }
}

}  // namespace
}  // namespace sheaf
