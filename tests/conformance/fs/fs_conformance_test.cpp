// SPDX-License-Identifier: BSD-3-Clause
//
// contracts/fs.h as tests, for every component that serves files of this machine.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/components.h"
#include "contracts/fs.h"
#include "frameworks/components.h"
#include "platform/descriptor.h"
#include "support/bytes.h"
#include "support/scratch.h"

namespace sheaf::fs {
extern const Component kTemplate;

namespace {

using testing::Bytes;
using testing::failed_with;
using testing::from_text;
using testing::same_bytes;
using testing::Scratch;
using testing::succeeded;

class FileSystemTest : public ::testing::TestWithParam<const Component*> {
protected:
    FileSystemTest() : names_(GetParam()->make()) {}

    [[nodiscard]] OpenRequest request(const std::string& name) const {
        OpenRequest request;
        request.path = scratch_.path(name);
        request.read = request.write = true;
        return request;
    }
    [[nodiscard]] OpenRequest creating(const std::string& name) const {
        OpenRequest made = request(name);
        made.create = true;
        return made;
    }

    /// A new file with this content.
    Created create(const std::string& name, const std::string& text = "") {
        auto created = names_->create(creating(name));
        EXPECT_TRUE(succeeded(created.status()));
        write(*created->file, text);
        return std::move(created).value();
    }

    /// Through the descriptor, where the component has one.
    static void write(const OpenFile& file, const std::string& text) {
        if (text.empty()) return;
        Bytes bytes = from_text(text);
        const iovec piece{bytes.data(), bytes.size()};
        EXPECT_EQ(platform::write_vector(file.descriptor(), {&piece, 1}, {}), std::ssize(bytes));
    }
    static Bytes bytes_of(OpenFile& file) {
        const auto size = file.size();
        EXPECT_TRUE(succeeded(size.status()));
        Bytes bytes(static_cast<std::size_t>(size->value));
        const iovec piece{bytes.data(), bytes.size()};
        EXPECT_EQ(platform::read_vector(file.descriptor(), {&piece, 1}, {}), size->value);
        return bytes;
    }

    Scratch scratch_;
    std::unique_ptr<FileSystem> names_;
};

TEST_P(FileSystemTest, BidsAreRepeatableAndGiveReasons) {
    for (const std::string prefix : {"", "memory", "no_such_prefix"}) {
        for (const bool one_node : {true, false}) {
            const Candidate candidate{scratch_.path("f"), prefix, one_node};
            const Bid first = GetParam()->bid(candidate);
            const Bid second = GetParam()->bid(candidate);
            EXPECT_EQ(first.priority, second.priority);
            EXPECT_EQ(first.reason, second.reason);
            EXPECT_FALSE(first.reason.empty());
            if (first.priority) {
                EXPECT_TRUE(*first.priority >= 0 && *first.priority <= 100);
            }
        }
    }
    EXPECT_FALSE(testing::exists(scratch_.path("f")));
    EXPECT_FALSE(GetParam()->bid({"f", "no_such_prefix", true}).priority);
    EXPECT_FALSE(GetParam()->summary.empty());
}

TEST_P(FileSystemTest, CreatesOnlyWhenAskedTo) {
    EXPECT_TRUE(failed_with(Code::no_such_file, names_->create(request("f")).status()));
    const Created created = create("f", "abc");
    EXPECT_FALSE(created.locator.empty());
    const auto again = names_->create(request("f"));
    ASSERT_TRUE(succeeded(again.status()));
    EXPECT_TRUE(same_bytes(from_text("abc"), bytes_of(*again->file)));
}

TEST_P(FileSystemTest, CreatingAnExistingFileKeepsIt) {
    const Created first = create("f", "abc");
    const Created second = create("f");
    EXPECT_TRUE(same_bytes(from_text("abc"), bytes_of(*second.file)));
}

TEST_P(FileSystemTest, ExclusiveRefusesWhatExists) {
    OpenRequest exclusive = creating("f");
    exclusive.exclusive = true;
    EXPECT_TRUE(succeeded(names_->create(exclusive).status()));
    EXPECT_TRUE(failed_with(Code::file_exists, names_->create(exclusive).status()));
}

TEST_P(FileSystemTest, AttachFindsWhatCreateMade) {
    const Created created = create("f", "abc");
    std::vector<std::unique_ptr<OpenFile>> others;
    for (int rank = 1; rank < 5; ++rank) {
        auto other = names_->attach(created.locator, creating("f"));
        ASSERT_TRUE(succeeded(other.status())) << "rank " << rank;
        EXPECT_TRUE(same_bytes(from_text("abc"), bytes_of(**other)));
        others.push_back(std::move(other).value());
    }
    write(*others.back(), "xyz");
    EXPECT_TRUE(same_bytes(from_text("xyz"), bytes_of(*created.file)));
    EXPECT_TRUE(same_bytes(from_text("xyz"), bytes_of(*others.front())));
}

TEST_P(FileSystemTest, AttachNeverCreates) {
    std::string locator;
    {
        const Created created = create("f");
        locator = created.locator;
    }
    EXPECT_TRUE(succeeded(names_->remove(scratch_.path("f"))));
    OpenRequest exclusive = creating("f");
    exclusive.exclusive = true;
    EXPECT_FALSE(names_->attach(locator, exclusive).ok());
    EXPECT_TRUE(failed_with(Code::no_such_file, names_->create(request("f")).status()));
}

TEST_P(FileSystemTest, ResizeGrowsWithZerosAndCuts) {
    const Created created = create("f", "abcdef");
    EXPECT_TRUE(succeeded(created.file->resize({9})));
    EXPECT_TRUE(same_bytes(from_text(std::string("abcdef\0\0\0", 9)), bytes_of(*created.file)));
    EXPECT_TRUE(succeeded(created.file->resize({2})));
    EXPECT_TRUE(same_bytes(from_text("ab"), bytes_of(*created.file)));
    EXPECT_TRUE(succeeded(created.file->resize({4})));
    EXPECT_TRUE(same_bytes(from_text(std::string("ab\0\0", 4)), bytes_of(*created.file)));
    EXPECT_TRUE(succeeded(created.file->resize({0})));
    EXPECT_EQ(created.file->size()->value, 0);
}

TEST_P(FileSystemTest, SizeIsSeenByAll) {
    const Created created = create("f");
    const auto other = names_->attach(created.locator, request("f"));
    ASSERT_TRUE(succeeded(other.status()));
    EXPECT_TRUE(succeeded((*other)->resize({12345})));
    EXPECT_EQ(created.file->size()->value, 12345);
}

TEST_P(FileSystemTest, PreallocateGrowsOrSaysItCannot) {
    const Created created = create("f", "abcdef");
    const Status grown = created.file->preallocate({10});
    const Status smaller = created.file->preallocate({3});
    EXPECT_EQ(grown.code(), smaller.code());
    if (grown.code() == Code::unsupported_operation) {
        EXPECT_TRUE(same_bytes(from_text("abcdef"), bytes_of(*created.file)));
        return;
    }
    EXPECT_TRUE(succeeded(grown));
    EXPECT_TRUE(same_bytes(from_text(std::string("abcdef\0\0\0\0", 10)), bytes_of(*created.file)));
    EXPECT_TRUE(succeeded(created.file->preallocate({0})));
}

TEST_P(FileSystemTest, WhatIsOpenForReadingOnlyIsNotChanged) {
    const Created created = create("f", "abc");
    OpenRequest reading = request("f");
    reading.write = false;
    const auto reader = names_->attach(created.locator, reading);
    ASSERT_TRUE(succeeded(reader.status()));
    for (const Status& status : {(*reader)->resize({1}), (*reader)->preallocate({9})}) {
        EXPECT_TRUE(status.code() == Code::read_only || status.code() == Code::access)
            << name_of(status.code()) << ": " << status.text();
    }
    EXPECT_TRUE(same_bytes(from_text("abc"), bytes_of(**reader)));
}

TEST_P(FileSystemTest, RemovedDataLiveOnUntilClosed) {
    const Created created = create("f", "abc");
    const auto other = names_->attach(created.locator, request("f"));
    ASSERT_TRUE(succeeded(other.status()));
    EXPECT_TRUE(succeeded(names_->remove(scratch_.path("f"))));
    EXPECT_TRUE(failed_with(Code::no_such_file, names_->remove(scratch_.path("f"))));
    EXPECT_TRUE(same_bytes(from_text("abc"), bytes_of(**other)));
    EXPECT_TRUE(succeeded(created.file->sync()));
    EXPECT_TRUE(succeeded(created.file->close()));
    EXPECT_TRUE(succeeded((*other)->close()));
}

TEST_P(FileSystemTest, ANewFileUnderAnOldNameIsAnother) {
    Created old = create("f", "old");
    EXPECT_TRUE(succeeded(names_->remove(scratch_.path("f"))));
    const Created fresh = create("f", "new!");
    const auto other = names_->attach(fresh.locator, request("f"));
    ASSERT_TRUE(succeeded(other.status()));
    EXPECT_TRUE(same_bytes(from_text("new!"), bytes_of(**other)));
    EXPECT_TRUE(same_bytes(from_text("old"), bytes_of(*old.file)));
}

TEST_P(FileSystemTest, DataOutliveClosing) {
    {
        const Created created = create("f", "abc");
        EXPECT_TRUE(succeeded(created.file->sync()));
        EXPECT_TRUE(succeeded(created.file->close()));
    }
    const auto again = GetParam()->make()->create(request("f"));
    ASSERT_TRUE(succeeded(again.status()));
    EXPECT_TRUE(same_bytes(from_text("abc"), bytes_of(*again->file)));
}

TEST_P(FileSystemTest, FactsCanBeUsedForAlignment) {
    const Created created = create("f");
    const Facts& facts = created.file->facts();
    EXPECT_FALSE(facts.storage.empty());
    EXPECT_GT(facts.block_size.value, 0);
    EXPECT_GE(facts.stripe_size.value, 0);
    EXPECT_GE(facts.stripe_count, 1);
}

INSTANTIATE_TEST_SUITE_P(Every, FileSystemTest,
                         ::testing::ValuesIn(testing::with_template(components(), kTemplate)),
                         testing::component_name<Component>);

}  // namespace
}  // namespace sheaf::fs
