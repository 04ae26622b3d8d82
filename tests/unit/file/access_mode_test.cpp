// SPDX-License-Identifier: BSD-3-Clause
#include "file/access_mode.h"

#include <gtest/gtest.h>

#include "file/file_name.h"
#include "support/bytes.h"

namespace sheaf {
namespace {

/// MPI 4.1, 14.2.1, word by word.
bool standard_allows(std::uint32_t flags) {
    const auto has = [&](AccessMode::Flag flag) { return (flags & flag) != 0; };
    // "Exactly one of the modes MPI_MODE_RDONLY, MPI_MODE_RDWR, or MPI_MODE_WRONLY, must be
    // specified."
    const int ways = (has(AccessMode::read_only) ? 1 : 0) + (has(AccessMode::read_write) ? 1 : 0) +
                     (has(AccessMode::write_only) ? 1 : 0);
    if (ways != 1) return false;
    // "It is erroneous to specify MPI_MODE_CREATE or MPI_MODE_EXCL in conjunction with
    // MPI_MODE_RDONLY."
    if (has(AccessMode::read_only) && (has(AccessMode::create) || has(AccessMode::exclusive)))
        return false;
    // "... it is erroneous to specify MPI_MODE_SEQUENTIAL together with MPI_MODE_RDWR."
    return !(has(AccessMode::sequential) && has(AccessMode::read_write));
}

TEST(AccessMode, AllCombinations) {
    int allowed = 0;
    for (std::uint32_t flags = 0; flags < 512; ++flags) {
        const AccessMode mode{flags};
        const Status status = mode.validate();
        EXPECT_EQ(status.ok(), standard_allows(flags)) << "flags " << flags;
        if (!status.ok()) {
            EXPECT_TRUE(testing::failed_with(Code::amode, status));
        }
        allowed += status.ok() ? 1 : 0;
        EXPECT_EQ(mode.reads(), (flags & (AccessMode::read_only | AccessMode::read_write)) != 0);
        EXPECT_EQ(mode.writes(), (flags & (AccessMode::write_only | AccessMode::read_write)) != 0);
    }
    // RDONLY: four free flags; WRONLY: six; RDWR: five.
    EXPECT_EQ(allowed, 16 + 64 + 32);
}

TEST(FileName, KnownPrefixesComeOff) {
    const auto parsed = [](std::string_view name) {
        const FileName result = parse_file_name(name);
        return result.prefix + "|" + result.path;
    };
    EXPECT_EQ(parsed("/a/b"), "|/a/b");
    EXPECT_EQ(parsed("memory:/x"), "memory|/x");
    EXPECT_EQ(parsed("ufs:/a"), "|/a");
    EXPECT_EQ(parsed("nfs:rel"), "|rel");
    EXPECT_EQ(parsed("lustre:"), "|");
    EXPECT_EQ(parsed("file:name"), "|file:name");
    EXPECT_EQ(parsed("/a/memory:x"), "|/a/memory:x");
    EXPECT_EQ(parsed(":x"), "|:x");
    EXPECT_EQ(parsed("ufs:memory:x"), "|memory:x");
    EXPECT_EQ(parsed("MEMORY:x"), "|MEMORY:x");
    EXPECT_EQ(parsed(""), "|");
}

}  // namespace
}  // namespace sheaf
