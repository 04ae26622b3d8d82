// SPDX-License-Identifier: BSD-3-Clause
#include "base/status.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/assert.h"
#include "base/guard.h"
#include "base/result.h"
#include "base/unique_handle.h"

namespace sheaf {
namespace {

Status no_space() {
    return {Code::no_space, "write of bytes [0, 8)", 28};
}

TEST(Status, OkIsEmptyAndSmall) {
    const Status status;
    EXPECT_TRUE(status.ok());
    EXPECT_EQ(status.code(), Code::ok);
    EXPECT_EQ(status.text(), "");
    EXPECT_EQ(status.system_error(), 0);
    EXPECT_EQ(sizeof(Status), sizeof(void*));
}

TEST(Status, CopiesAreOfTheirOwn) {
    Status first = no_space();
    Status copy = first;
    first = std::move(first).with_context("/a");
    EXPECT_EQ(first.text(), "/a: write of bytes [0, 8)");
    EXPECT_EQ(copy.text(), "write of bytes [0, 8)");
    copy = first;
    EXPECT_EQ(copy.text(), first.text());
    const Status& itself = copy;
    copy = itself;
    EXPECT_EQ(copy.code(), Code::no_space);
    EXPECT_EQ(copy.system_error(), 28);
}

TEST(Status, ContextLeavesOkAlone) {
    EXPECT_TRUE(Status{}.with_context("/a").ok());
}

TEST(Status, UpdateKeepsTheFirstFailure) {
    Status status;
    status.update({});
    EXPECT_TRUE(status.ok());
    status.update(no_space());
    status.update({Code::io, "later"});
    status.update({});
    EXPECT_EQ(status.code(), Code::no_space);
}

TEST(Status, EveryCodeHasANameOfItsOwn) {
    std::set<std::string_view> names;
    for (int code = 0; code < kCodeCount; ++code) {
        const auto name = name_of(static_cast<Code>(code));
        EXPECT_FALSE(name.empty()) << code;
        EXPECT_TRUE(names.insert(name).second) << name;
    }
    EXPECT_EQ(name_of(Code::ok), "ok");
    EXPECT_EQ(name_of(Code::overflow), "overflow");
}

Result<int> half_of(int number) {
    if (number % 2 != 0) return Status{Code::argument, "odd"};
    return number / 2;
}

Result<int> quarter_of(int number) {
    SHEAF_TRY(const int half, half_of(number));
    SHEAF_TRY(const int quarter, half_of(half));
    return quarter;
}

Status quarter_exists(int number) {
    SHEAF_CHECK(quarter_of(number).status());
    return {};
}

TEST(Result, MacrosReturnTheFirstFailure) {
    EXPECT_EQ(*quarter_of(8), 2);
    EXPECT_EQ(quarter_of(6).status().text(), "odd");
    EXPECT_FALSE(quarter_of(7).ok());
    EXPECT_TRUE(quarter_exists(4).ok());
    EXPECT_EQ(quarter_exists(2).code(), Code::argument);
}

TEST(Result, MovesWhatCannotBeCopied) {
    Result<std::unique_ptr<int>> result(std::make_unique<int>(5));
    EXPECT_EQ(**result, 5);
    const std::unique_ptr<int> taken = std::move(result).value();
    EXPECT_EQ(*taken, 5);
}

TEST(ResultDeathTest, ValueOfAFailureAborts) {
    EXPECT_DEATH((void)half_of(1).value(), "assertion failed: ok\\(\\)");
    EXPECT_DEATH((void)Result<int>(Status{}), "assertion failed");
}

TEST(Guard, TurnsExceptionsIntoStatus) {
    const auto code = [](const Status& status) { return status.code(); };
    EXPECT_EQ(guard(code, [] { return Status{}; }), Code::ok);
    EXPECT_EQ(guard(code, [] { return no_space(); }), Code::no_space);
    EXPECT_EQ(guard(code, []() -> Status { throw std::bad_alloc(); }), Code::no_memory);
    EXPECT_EQ(guard(code, []() -> Status { throw std::logic_error("x"); }), Code::internal);
}

int g_released = 0;

struct CountedTraits {
    using Type = int;
    static int null() { return -1; }
    static void release(int handle) { g_released += handle; }
};
using Counted = UniqueHandle<CountedTraits>;

TEST(UniqueHandle, ReleasesOnce) {
    g_released = 0;
    {
        Counted first(1);
        Counted second(std::move(first));
        EXPECT_EQ(second.get(), 1);
        Counted third(10);
        third = std::move(second);
        EXPECT_EQ(g_released, 10);
        Counted fourth(100);
        EXPECT_EQ(fourth.release(), 100);
        EXPECT_FALSE(fourth.valid());
        fourth.reset(1000);
        fourth.reset(2000);
        EXPECT_EQ(g_released, 1010);
    }
    EXPECT_EQ(g_released, 3011);
}

}  // namespace
}  // namespace sheaf
