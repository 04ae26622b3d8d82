// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "oracle.h"
#include "view/layout.h"

namespace sheaf::view {
namespace {

using testing::any_sample;
using testing::Draw;
using testing::holds;
using testing::Sample;

std::vector<std::byte> raw(std::initializer_list<int> values) {
    std::vector<std::byte> bytes;
    for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
    return bytes;
}

TEST(Serialise, ComesBackEqual) {
    EXPECT_TRUE(holds([](Draw& draw) {
        const Sample sample = any_sample(draw, 6);
        const auto back = deserialise(serialise(sample.layout));
        RC_ASSERT(back.ok());
        RC_ASSERT(*back == sample.layout);
        RC_ASSERT(back->hash() == sample.layout.hash());
    }));
}

TEST(Serialise, IsCompact) {
    const Layout row = strided(1'000'000, 16, bytes(8).value()).value();
    const Layout all = strided(1'000'000, 64'000'000, row).value();
    EXPECT_LT(serialise(all).size(), 24U);
    EXPECT_EQ(serialise(Layout{}), raw({0}));
}

TEST(Serialise, NumbersHaveNoSecondForm) {
    EXPECT_EQ(serialise(bytes(300).value()), raw({1, 0, 1, 0xAC, 2}));
    EXPECT_TRUE(deserialise(raw({1, 0, 1, 0xAC, 2})).ok());
}

TEST(Serialise, RefusesWhatIsMalformed) {
    const auto refused = [](std::initializer_list<int> values) {
        const auto layout = deserialise(raw(values));
        return !layout.ok() && layout.status().code() == Code::argument;
    };
    EXPECT_TRUE(refused({}));
    EXPECT_TRUE(refused({0, 0}));             // Something after nothing.
    EXPECT_TRUE(refused({2}));                // Unknown form.
    EXPECT_TRUE(refused({1, 0, 9}));          // Unknown kind.
    EXPECT_TRUE(refused({1, 0, 1, 0}));       // No bytes.
    EXPECT_TRUE(refused({1, 0, 1, 0x80}));    // Cut in a number.
    EXPECT_TRUE(refused({1, 0, 1, 4, 0}));    // Something after the end.
    EXPECT_TRUE(refused({1, 0, 3, 200, 1}));  // More entries than bytes.
    EXPECT_TRUE(refused({1, 0, 3, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F}));
    EXPECT_TRUE(refused({1, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F}));
    EXPECT_TRUE(refused({1, 0, 2, 2, 4}));  // No child.
}

TEST(Serialise, DepthIsBounded) {
    std::vector<std::byte> deep = raw({1, 0});
    for (int level = 0; level < 100'000; ++level) {
        for (const int value : {2, 2, 0}) deep.push_back(static_cast<std::byte>(value));
    }
    deep.push_back(static_cast<std::byte>(1));
    deep.push_back(static_cast<std::byte>(1));
    EXPECT_FALSE(deserialise(deep).ok());
}

TEST(Serialise, DamageIsRefusedOrHarmless) {
    EXPECT_TRUE(holds([](Draw& draw) {
        const std::vector<std::byte> good = serialise(any_sample(draw, 6).layout);
        for (int i = 0; i < 50; ++i) {
            std::vector<std::byte> bad = good;
            const auto last = static_cast<std::int64_t>(bad.size()) - 1;
            bad[static_cast<std::size_t>(draw.in(0, last))] ^=
                static_cast<std::byte>(draw.in(1, 255));
            if (draw.one_in(3)) bad.resize(static_cast<std::size_t>(draw.in(0, last)));
            const auto layout = deserialise(bad);
            if (!layout.ok()) continue;
            const auto again = deserialise(serialise(*layout));
            RC_ASSERT(again.ok());
            RC_ASSERT(*again == *layout);
        }
    }));
}

}  // namespace
}  // namespace sheaf::view
