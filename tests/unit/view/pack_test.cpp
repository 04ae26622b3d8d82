// SPDX-License-Identifier: BSD-3-Clause
#include "view/pack.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

#include "oracle.h"

namespace sheaf::view {
namespace {

using testing::any_sample;
using testing::Draw;
using testing::holds;
using testing::Sample;

/// Memory around the bytes of a sample, each byte different from its neighbours.
struct Memory {
    std::vector<std::byte> bytes;
    ByteRange bounds;

    explicit Memory(const Sample& sample)
        : bytes(static_cast<std::size_t>(sample.layout.bounds().size().value)),
          bounds(sample.layout.bounds()) {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes[i] = static_cast<std::byte>(i * 37 + i / 251);
        }
    }
    /// What offset 0 of the sample is; may lie outside the memory.
    std::byte* base() { return address(bytes.data(), {-bounds.begin.value}); }
    std::byte& at(std::int64_t offset) {
        return bytes[static_cast<std::size_t>(offset - bounds.begin.value)];
    }
};

TEST(Pack, GathersInTypemapOrder) {
    EXPECT_TRUE(holds([](Draw& draw) {
        const Sample sample = any_sample(draw, 5);
        Memory memory{sample};
        std::vector<std::byte> out(sample.bytes.size());
        Cursor cursor{sample.layout};
        for (std::size_t done = 0; done < out.size();) {  // In steps that cut pieces.
            const auto step = std::min(out.size() - done, static_cast<std::size_t>(draw.in(1, 50)));
            gather(memory.base(), cursor, std::span{out}.subspan(done, step));
            done += step;
        }
        RC_ASSERT(cursor.at_end());
        for (std::size_t i = 0; i < out.size(); ++i) {
            RC_ASSERT(out[i] == memory.at(sample.bytes[i]));
        }
    }));
}

TEST(Pack, ScatterTouchesTheDataOnly) {
    EXPECT_TRUE(holds([](Draw& draw) {
        const Sample sample = any_sample(draw, 5);
        Memory memory{sample};
        Memory expected = memory;
        std::vector<std::byte> in(sample.bytes.size());
        for (std::size_t i = 0; i < in.size(); ++i) {
            in[i] = static_cast<std::byte>(draw.in(0, 255));
            expected.at(sample.bytes[i]) = in[i];
        }
        Cursor cursor{sample.layout};
        scatter(memory.base(), cursor, in);
        RC_ASSERT(cursor.at_end());
        RC_ASSERT(memory.bytes == expected.bytes);
    }));
}

TEST(Pack, NoBaseMeansAddresses) {
    const std::array<std::byte, 4> data{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
    const auto where = reinterpret_cast<std::intptr_t>(data.data());
    const Layout layout = shifted({where}, strided(2, 2, bytes(1).value()).value()).value();
    std::array<std::byte, 2> out{};
    Cursor cursor{layout};
    gather(nullptr, cursor, out);
    EXPECT_EQ(out, (std::array{std::byte{1}, std::byte{3}}));
}

}  // namespace
}  // namespace sheaf::view
