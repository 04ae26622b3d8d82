// SPDX-License-Identifier: BSD-3-Clause
#include "trace/ring.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/assert.h"
#include "platform/storage_facts.h"
#include "support/bytes.h"
#include "support/scratch.h"

namespace sheaf::trace {
namespace {

using testing::failed_with;
using testing::ScopedEnvironment;
using testing::Scratch;
using testing::succeeded;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

/// What dump() writes to standard error.
std::string dumped() {
    ::testing::internal::CaptureStderr();
    dump();
    return ::testing::internal::GetCapturedStderr();
}

TEST(Events, HaveNamesOfTheirOwn) {
    std::set<std::string_view> names;
    for (const EventRow& row : kEvents) EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(kEvents[static_cast<std::size_t>(Event::round)].name, "fcoll.round");
}

TEST(Ring, KeepsTheLastEventsInOrder) {
    for (std::int64_t i = 0; i < 3000; ++i) record(Event::storage_read, i, 10 * i, -i);
    const auto lines = lines_of(dumped());
    ASSERT_EQ(lines.size(), kRingRecords + 1);
    EXPECT_NE(lines[0].find("last 1024 events"), std::string::npos) << lines[0];
    EXPECT_NE(lines.back().find("fbtl.read begin=2999 bytes=29990 result=-2999"), std::string::npos)
        << lines.back();
    EXPECT_NE(lines[1].find(fmt::format("begin={} ", 3000 - kRingRecords)), std::string::npos)
        << lines[1];
}

TEST(Ring, ThreadsMayRecordAtOnce) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([i] {
            for (int k = 0; k < 100; ++k) record(Event::round, i, k);
        });
    }
    for (std::thread& thread : threads) thread.join();
    record(Event::close, 77);
    EXPECT_NE(lines_of(dumped()).back().find("file.close file=77"), std::string::npos);
}

TEST(RingFile, IsReadBack) {
    const Scratch scratch;
    const ScopedEnvironment wish("SHEAF_TRACE", "ring");
    const ScopedEnvironment folder("SHEAF_TRACE_DIR", scratch.folder().c_str());
    ASSERT_TRUE(succeeded(start(5)));
    record(Event::open, 1, 8);
    const std::string path = scratch.path(fmt::format("5-{}.ring", platform::process_id()));
    const auto text = describe_ring_file(path);
    ASSERT_TRUE(succeeded(text.status()));
    const auto lines = lines_of(*text);
    ASSERT_EQ(lines.size(), 2U) << *text;
    EXPECT_TRUE(lines[0].starts_with("rank 5 ")) << lines[0];
    EXPECT_NE(lines[1].find("#1 file.open file=1 ranks=8"), std::string::npos) << lines[1];
    // The file exists now: it is somebody's, so it is not taken.
    EXPECT_TRUE(failed_with(Code::file_exists, start(5)));
    record(Event::close, 1);
    EXPECT_EQ(lines_of(*describe_ring_file(path)).size(), 3U);
}

TEST(RingFile, WithoutAFolderThereIsNone) {
    const ScopedEnvironment wish("SHEAF_TRACE", "ring");
    const ScopedEnvironment folder("SHEAF_TRACE_DIR", nullptr);
    EXPECT_TRUE(succeeded(start(0)));
}

TEST(RingFile, OtherFilesAreRefused) {
    const Scratch scratch;
    EXPECT_TRUE(failed_with(Code::argument, describe_ring_file(scratch.path("none")).status()));
    const auto cut = scratch.file("short", "shfring1");
    EXPECT_TRUE(failed_with(Code::argument, describe_ring_file(cut).status()));
    const auto other = scratch.file("other", std::string(sizeof(RingImage), 'x'));
    EXPECT_TRUE(failed_with(Code::argument, describe_ring_file(other).status()));
}

TEST(RingFile, EventsOfLaterVersionsAreShownAsNumbers) {
    const Scratch scratch;
    const auto image = std::make_unique<RingImage>();
    image->rank = 2;
    image->records[7].number = 8;
    image->records[7].event = static_cast<Event>(999);
    std::ofstream(scratch.path("ring"), std::ios::binary)
        .write(reinterpret_cast<const char*>(image.get()), sizeof(RingImage));
    const auto text = describe_ring_file(scratch.path("ring"));
    ASSERT_TRUE(succeeded(text.status()));
    EXPECT_NE(text->find("unknown event 999"), std::string::npos) << *text;
}

TEST(RingDeathTest, AFailedAssertionDumpsTheRing) {
    ::testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_DEATH(
        {
            set_assert_hook(dump);
            record(Event::set_view, 11, 22, 33);
            SHEAF_ASSERT(1 > 2);
        },
        "assertion failed: 1 > 2(.|\n)*view.set displacement=11");
}

}  // namespace
}  // namespace sheaf::trace
