// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <utility>

#include "platform/descriptor.h"
#include "platform/environment.h"
#include "platform/memory.h"
#include "platform/storage_facts.h"
#include "platform/system_error.h"
#include "support/bytes.h"
#include "support/scratch.h"

namespace sheaf::platform {
namespace {

using testing::contents;
using testing::failed_with;
using testing::from_text;
using testing::same_bytes;
using testing::ScopedEnvironment;
using testing::Scratch;
using testing::succeeded;

constexpr OpenFlags kReadWrite{.read = true, .write = true};
constexpr OpenFlags kCreate{.read = true, .write = true, .create = true};

iovec piece_of(testing::Bytes& bytes) {
    return {bytes.data(), bytes.size()};
}

TEST(SystemError, CodesOfErrnoValues) {
    const std::array<std::pair<int, Code>, 9> rows{{{EACCES, Code::access},
                                                    {EROFS, Code::read_only},
                                                    {ENOENT, Code::no_such_file},
                                                    {EEXIST, Code::file_exists},
                                                    {ENAMETOOLONG, Code::bad_file},
                                                    {ENOSPC, Code::no_space},
                                                    {EDQUOT, Code::disk_quota},
                                                    {EBUSY, Code::file_in_use},
                                                    {EIO, Code::io}}};
    for (const auto& [error, code] : rows) {
        const Status status = system_failure(error, "write of bytes [0, 8)");
        EXPECT_TRUE(failed_with(code, status));
        EXPECT_EQ(status.system_error(), error);
        EXPECT_EQ(status.text(), std::string("write of bytes [0, 8): ") + std::strerror(error) +
                                     " (" + system_error_name(error) + ")");
    }
}

TEST(SystemError, NamesGoBothWays) {
    for (int error = 1; error <= 133; ++error) {
        const std::string name = system_error_name(error);
        if (name.starts_with("error ")) continue;
        const auto value = system_error_value(name);
        ASSERT_TRUE(value) << name;
        EXPECT_EQ(system_error_name(*value), name);
    }
    EXPECT_EQ(system_error_value("ENOSPC"), ENOSPC);
    EXPECT_EQ(system_error_value("ENOTHING"), std::nullopt);
    EXPECT_EQ(system_error_value(""), std::nullopt);
}

TEST(SystemError, AValueThatNobodyKnows) {
    const Status status = system_failure(4000, "read");
    EXPECT_TRUE(failed_with(Code::io, status));
    EXPECT_NE(status.text().find("4000"), std::string::npos) << status.text();
}

TEST(Environment, TheTableHasUniqueNames) {
    std::set<std::string_view> names;
    for (const EnvironmentVariable& row : environment_table()) {
        EXPECT_TRUE(row.name.starts_with("SHEAF_")) << row.name;
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_FALSE(row.accepted.empty() || row.effect.empty()) << row.name;
    }
}

TEST(Environment, ReadsAndReportsUnknownNames) {
    const ScopedEnvironment trace("SHEAF_TRACE", "ring");
    const ScopedEnvironment no_hints("SHEAF_HINTS", nullptr);
    const ScopedEnvironment typo("SHEAF_TRCE", "ring");
    EXPECT_EQ(environment("SHEAF_TRACE"), "ring");
    EXPECT_EQ(environment("SHEAF_HINTS"), std::nullopt);
    const auto unknown = unknown_environment();
    EXPECT_THAT(unknown, ::testing::Contains("SHEAF_TRCE"));
    EXPECT_THAT(unknown, ::testing::Not(::testing::Contains("SHEAF_TRACE")));
}

TEST(Descriptor, OpensAndCreates) {
    const Scratch scratch;
    const std::string path = scratch.path("file");
    EXPECT_TRUE(failed_with(Code::no_such_file, open_path(path, kReadWrite, 0).status()));
    auto file = open_path(path, kCreate, 0600);
    ASSERT_TRUE(succeeded(file.status()));
    EXPECT_TRUE(succeeded(open_path(path, kCreate, 0600).status()));
    constexpr OpenFlags exclusive{.write = true, .create = true, .exclusive = true};
    EXPECT_TRUE(failed_with(Code::file_exists, open_path(path, exclusive, 0600).status()));
    EXPECT_TRUE(
        failed_with(Code::bad_file, open_path(scratch.folder(), {.read = true}, 0).status()));
    EXPECT_TRUE(failed_with(Code::bad_file, open_path(path + "/x", kCreate, 0600).status()));
    EXPECT_TRUE(succeeded(close_descriptor(std::move(file).value())));
}

TEST(Descriptor, SizesAndRemoval) {
    const Scratch scratch;
    const std::string path = scratch.file("file", "abc");
    const auto file = open_path(path, kReadWrite, 0);
    ASSERT_TRUE(succeeded(file.status()));
    EXPECT_EQ(*size_of(file->get()), ByteCount{3});
    EXPECT_TRUE(succeeded(resize(file->get(), {5})));
    EXPECT_TRUE(same_bytes(from_text(std::string("abc\0\0", 5)), contents(path)));
    EXPECT_TRUE(succeeded(resize(file->get(), {0})));
    EXPECT_EQ(*size_of(file->get()), ByteCount{});
    EXPECT_TRUE(succeeded(synchronise(file->get())));
    EXPECT_TRUE(succeeded(remove_path(path)));
    EXPECT_TRUE(failed_with(Code::no_such_file, remove_path(path)));
}

TEST(Descriptor, AllocateGrowsAndNeverShrinks) {
    const Scratch scratch;
    const std::string path = scratch.file("file", "abcdef");
    const auto file = open_path(path, kReadWrite, 0);
    ASSERT_TRUE(succeeded(file.status()));
    EXPECT_TRUE(succeeded(allocate(file->get(), {})));
    const Status smaller = allocate(file->get(), {2});
    if (smaller.code() == Code::unsupported_operation) GTEST_SKIP() << smaller.text();
    EXPECT_TRUE(succeeded(smaller));
    EXPECT_TRUE(same_bytes(from_text("abcdef"), contents(path)));
    EXPECT_TRUE(succeeded(allocate(file->get(), {8})));
    EXPECT_TRUE(same_bytes(from_text(std::string("abcdef\0\0", 8)), contents(path)));
}

TEST(Descriptor, VectorsMoveAndTellTheEnd) {
    const Scratch scratch;
    const auto file = open_path(scratch.file("file", "0123456789"), kReadWrite, 0);
    ASSERT_TRUE(succeeded(file.status()));
    testing::Bytes a = from_text("AB");
    testing::Bytes b = from_text("CDE");
    const std::array<iovec, 2> pieces{piece_of(a), piece_of(b)};
    EXPECT_EQ(write_vector(file->get(), pieces, {7}), 5);
    EXPECT_EQ(read_vector(file->get(), pieces, {8}), 4);
    EXPECT_TRUE(same_bytes(from_text("BC"), a));
    EXPECT_TRUE(same_bytes(from_text("DEE"), b));
    EXPECT_EQ(read_vector(file->get(), pieces, {12}), 0);
    EXPECT_EQ(read_vector(-1, pieces, {0}), -EBADF);
    EXPECT_TRUE(is_retryable(-EINTR) && is_retryable(-EAGAIN));
    EXPECT_FALSE(is_retryable(0) || is_retryable(5) || is_retryable(-EIO));
}

TEST(Descriptor, AnonymousFilesAreReachedByPath) {
    const auto memory = open_anonymous("test");
    ASSERT_TRUE(succeeded(memory.status()));
    EXPECT_TRUE(succeeded(resize(memory->get(), {4})));
    const auto again = open_path(shared_path_of(*memory), kReadWrite, 0);
    ASSERT_TRUE(succeeded(again.status()));
    EXPECT_EQ(*size_of(again->get()), ByteCount{4});
}

TEST(StorageFacts, OfAFileAndOfOneThatWillBe) {
    const Scratch scratch;
    const auto of_folder = storage_facts(scratch.folder());
    const auto of_file = storage_facts(scratch.path("new"));
    ASSERT_TRUE(succeeded(of_folder.status()));
    ASSERT_TRUE(succeeded(of_file.status()));
    EXPECT_EQ(of_file->type, of_folder->type);
    EXPECT_GE(of_file->block_size.value, 512);
    EXPECT_TRUE(
        failed_with(Code::no_such_file, storage_facts(scratch.path("no/such/place")).status()));
}

TEST(Machine, IsThere) {
    EXPECT_GE(usable_cores(), 1);
    EXPECT_FALSE(host_name().empty());
    EXPECT_GT(process_id(), 0);
    const std::int64_t before = now_ns();
    EXPECT_LE(before, now_ns());
}

TEST(Memory, IsAlignedAndZeroed) {
    constexpr std::size_t kSize = std::size_t{1} << 16;
    constexpr std::uintptr_t kAlignment = std::uintptr_t{1} << 20;
    auto* memory = static_cast<std::byte*>(reserve_aligned(kSize, kAlignment));
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % kAlignment, 0U);
    EXPECT_EQ(memory[0], std::byte{0});
    memory[kSize - 1] = std::byte{1};
}

}  // namespace
}  // namespace sheaf::platform
