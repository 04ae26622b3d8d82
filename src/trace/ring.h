// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The ring: each process keeps its last events, always. They are dumped when an assertion fails;
/// with SHEAF_TRACE=ring the ring lies in a file that outlives a killed process, and `sheaf trace
/// DIR` prints it.

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "trace/events.h"

namespace sheaf::trace {

/// One event as it stands in memory and in ring files (little-endian, format version 1).
struct Record {
    std::int64_t time_ns = 0;  // Monotonic clock of the node.
    std::uint64_t number = 0;  // Counts from 1; 0 = never written.
    Event event = Event::none;
    std::uint16_t reserved = 0;
    std::uint32_t thread = 0;
    std::int64_t a = 0;
    std::int64_t b = 0;
    std::int64_t c = 0;
};
static_assert(sizeof(Record) == 48);

inline constexpr std::size_t kRingRecords = 1024;
inline constexpr std::uint64_t kRingMagic = 0x31676e6972666873;  // "shfring1"

/// What a ring file holds.
struct RingImage {
    std::uint64_t magic = kRingMagic;
    std::int32_t process = 0;
    std::int32_t rank = -1;  // Rank in MPI_COMM_WORLD, -1 until known.
    std::atomic<std::uint64_t> next{1};
    std::array<Record, kRingRecords> records{};
};

/// Adds an event. Any thread, any time, never fails, no system call but the clock's.
void record(Event event, std::int64_t a = 0, std::int64_t b = 0, std::int64_t c = 0) noexcept;

/// Tells the ring which rank this process is, and moves it into a file where the environment asks
/// for one. Called once after MPI_Init. Fails with the file's trouble; the ring works on
/// regardless.
Status start(int world_rank);

/// Writes the last events to standard error, oldest first. Also runs when an assertion fails.
void dump() noexcept;

/// The ring in a file, as text, one event a line. Fails for files that are no ring.
Result<std::string> describe_ring_file(const std::string& path);

}  // namespace sheaf::trace
