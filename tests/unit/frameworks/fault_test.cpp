// SPDX-License-Identifier: BSD-3-Clause
#include "frameworks/fault.h"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "support/byte_store.h"
#include "support/scratch.h"

namespace sheaf {
namespace {

using testing::ByteStore;
using testing::failed_with;
using testing::ScopedEnvironment;
using testing::StoreTransfer;
using testing::succeeded;

TEST(ParseFaults, GoodOnes) {
    const auto faults = parse_faults("write:ENOSPC@rank=3,nth=5;sync:EIO;read:EINTR@nth=0");
    ASSERT_TRUE(succeeded(faults.status()));
    ASSERT_EQ(faults->size(), 3U);
    EXPECT_EQ((*faults)[0].call, "write");
    EXPECT_EQ((*faults)[0].error, ENOSPC);
    EXPECT_EQ((*faults)[0].rank, Rank{3});
    EXPECT_EQ((*faults)[0].nth, 5);
    EXPECT_EQ((*faults)[1].call, "sync");
    EXPECT_EQ((*faults)[1].rank, std::nullopt);
    EXPECT_EQ((*faults)[1].nth, 1);
    EXPECT_EQ((*faults)[2].nth, 0);
    EXPECT_TRUE(parse_faults("")->empty());
}

TEST(ParseFaults, BadOnesAreQuoted) {
    for (const std::string bad :
         {"write", "write:", "write:EWHATEVER", "paint:EIO", ":EIO", "write:EIO@rank",
          "write:EIO@rank=x", "write:EIO@rank=-1", "write:EIO@when=3", "write:EIO@nth=1x",
          "write:EIO@rank=99999999999", "write:EIO@,nth=1", "write:28"}) {
        const auto faults = parse_faults("sync:EIO;" + bad);
        EXPECT_TRUE(failed_with(Code::argument, faults.status())) << bad;
        EXPECT_NE(faults.status().text().find('"' + bad + '"'), std::string::npos)
            << faults.status().text();
    }
}

/// Codes of the first `calls` writes of one byte on `rank`.
std::vector<Code> codes_of_writes(const char* fault, Rank rank, int calls) {
    const ScopedEnvironment environment("SHEAF_FAULT", fault);
    ByteStore store;
    const auto transfer = fbtl::with_faults(std::make_unique<StoreTransfer>(store), rank);
    std::byte byte{1};
    const std::array<fbtl::TransferPiece, 1> pieces{fbtl::TransferPiece{&byte, {1}, {0}}};
    std::vector<Code> codes;
    for (int i = 0; i < calls; ++i) codes.push_back(transfer->write(pieces).status.code());
    return codes;
}

TEST(FaultyTransfer, FailsAtTheNthUseOnTheRank) {
    const std::vector<Code> at_second{Code::ok, Code::no_space, Code::ok};
    EXPECT_EQ(codes_of_writes("write:ENOSPC@rank=1,nth=2", Rank{1}, 3), at_second);
    EXPECT_EQ(codes_of_writes("write:ENOSPC@rank=1,nth=2", Rank{0}, 3),
              (std::vector<Code>(3, Code::ok)));
    EXPECT_EQ(codes_of_writes("write:EIO@nth=0", Rank{7}, 3), (std::vector<Code>(3, Code::io)));
    EXPECT_EQ(codes_of_writes("read:EIO", Rank{0}, 2), (std::vector<Code>(2, Code::ok)));
    EXPECT_EQ(codes_of_writes(nullptr, Rank{0}, 1), std::vector<Code>{Code::ok});
}

TEST(FaultyTransfer, TwoFaultsOnOneCallCountAlike) {
    EXPECT_EQ(codes_of_writes("write:EIO@nth=1;write:ENOSPC@nth=2", Rank{0}, 3),
              (std::vector<Code>{Code::io, Code::no_space, Code::ok}));
}

TEST(FaultyTransfer, AnUnreadableTextIsSaidOnceAndInjectsNothing) {
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(codes_of_writes("write", Rank{1}, 1), std::vector<Code>{Code::ok});
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(codes_of_writes("write", Rank{0}, 1), std::vector<Code>{Code::ok});
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("SHEAF_FAULT"), std::string::npos);
}

}  // namespace
}  // namespace sheaf
