// SPDX-License-Identifier: BSD-3-Clause
#include "base/types.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace sheaf {
namespace {

constexpr std::int64_t kMost = 5;

// Bytes and etypes never mix, nor do places and lengths.
static_assert(!std::is_convertible_v<ByteCount, EtypeCount>);
static_assert(!std::is_convertible_v<ByteOffset, ByteCount>);
static_assert(!std::is_convertible_v<std::int64_t, ByteOffset>);
static_assert(std::is_same_v<decltype(ByteOffset{} - ByteOffset{}), ByteCount>);

bool in(ByteRange range, std::int64_t at) {
    return range.contains(ByteOffset{at});
}

void check_pair(ByteRange a, ByteRange b) {
    const ByteRange common = intersect(a, b);
    const ByteRange both = hull(a, b);
    bool all_in_a = true;
    for (std::int64_t at = 0; at <= kMost; ++at) {
        EXPECT_EQ(in(common, at), in(a, at) && in(b, at)) << at;
        if (in(a, at) || in(b, at)) {
            EXPECT_TRUE(in(both, at)) << at;
        }
        all_in_a = all_in_a && (!in(b, at) || in(a, at));
    }
    EXPECT_EQ(a.contains(b), all_in_a);
    if (a.empty() && b.empty()) return;
    EXPECT_TRUE(in(both, both.begin.value) && in(both, both.end.value - 1));
    EXPECT_TRUE(in(a, both.begin.value) || in(b, both.begin.value));
    EXPECT_TRUE(in(a, both.end.value - 1) || in(b, both.end.value - 1));
}

TEST(ByteRange, AllSmallPairsAgreeWithSets) {
    for (std::int64_t code = 0; code < 6 * 6 * 6 * 6; ++code) {
        const ByteRange a{{code % 6}, {code / 6 % 6}};
        const ByteRange b{{code / 36 % 6}, {code / 216}};
        SCOPED_TRACE(::testing::Message() << "[" << a.begin.value << ", " << a.end.value << ") ["
                                          << b.begin.value << ", " << b.end.value << ")");
        check_pair(a, b);
    }
}

TEST(ByteRange, SizeOfAnEmptyOneIsZero) {
    EXPECT_EQ((ByteRange{{7}, {3}}.size()), ByteCount{});
    EXPECT_EQ((ByteRange{{3}, {7}}.size()), ByteCount{4});
}

TEST(Types, Arithmetic) {
    ByteOffset at{10};
    at += ByteCount{5};
    EXPECT_EQ(at, ByteOffset{15});
    EXPECT_EQ(at - ByteOffset{4}, ByteCount{11});
    EXPECT_EQ(at - ByteCount{4}, ByteOffset{11});
    ByteCount count{3};
    count -= ByteCount{3};
    EXPECT_TRUE(count.zero());
    EXPECT_LT(Rank{1}, Rank{2});
}

}  // namespace
}  // namespace sheaf
