// SPDX-License-Identifier: BSD-3-Clause
#include "trace/ring.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <type_traits>
#include <vector>

#include "base/assert.h"
#include "platform/descriptor.h"
#include "platform/environment.h"
#include "platform/storage_facts.h"
#include "platform/system_error.h"

namespace sheaf::trace {

namespace {

/// Relaxed: two threads meet in a slot when one is a whole ring behind, and either may win.
template <class T>
void put(T& field, std::type_identity_t<T> value) noexcept {
    std::atomic_ref<T>(field).store(value, std::memory_order_relaxed);
}

RingImage g_in_memory;
// Release on switch, acquire on use: a thread that sees the new ring sees it initialised.
std::atomic<RingImage*> g_ring{&g_in_memory};

std::string line_of(const Record& record, std::int64_t origin_ns) {
    const auto index = static_cast<std::size_t>(record.event);
    if (index >= kEvents.size()) return fmt::format("  unknown event {}\n", index);
    const EventRow& row = kEvents[index];
    std::string line =
        fmt::format("  {:>12.3f} ms  #{} {}", static_cast<double>(record.time_ns - origin_ns) / 1e6,
                    record.number, row.name);
    const std::array<std::int64_t, 3> values{record.a, record.b, record.c};
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!row.arguments[i].empty()) line += fmt::format(" {}={}", row.arguments[i], values[i]);
    }
    return line + "\n";
}

std::string describe(const RingImage& ring) {
    std::vector<Record> records;
    std::ranges::copy_if(ring.records, std::back_inserter(records),
                         [](const Record& r) { return r.number != 0; });
    std::ranges::sort(records, {}, &Record::number);
    std::string text = fmt::format("rank {} (process {}): last {} events\n", ring.rank,
                                   ring.process, records.size());
    const std::int64_t origin = records.empty() ? 0 : records.front().time_ns;
    for (const Record& record : records) text += line_of(record, origin);
    return text;
}

Result<RingImage*> map_ring_file(const std::string& path) {
    SHEAF_TRY(platform::Descriptor file,
              platform::open_path(
                  path, {.read = true, .write = true, .create = true, .exclusive = true}, 0600));
    SHEAF_CHECK(platform::resize(file.get(), ByteCount{sizeof(RingImage)}));
    void* memory =
        ::mmap(nullptr, sizeof(RingImage), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (memory == MAP_FAILED)
        return platform::system_failure(platform::last_system_error(), "map " + path);
    return new (memory) RingImage;
}

}  // namespace

void record(Event event, std::int64_t a, std::int64_t b, std::int64_t c) noexcept {
    RingImage* ring = g_ring.load(std::memory_order_acquire);
    // Relaxed: the number only picks a slot; readers sort and tolerate a torn newest record.
    const std::uint64_t number = ring->next.fetch_add(1, std::memory_order_relaxed);
    Record& slot = ring->records[number % kRingRecords];
    put(slot.time_ns, platform::now_ns());
    put(slot.number, number);
    put(slot.event, event);
    put(slot.a, a);
    put(slot.b, b);
    put(slot.c, c);
}

Status start(int world_rank) {
    set_assert_hook(dump);
    g_in_memory.process = platform::process_id();
    g_in_memory.rank = world_rank;
    const auto wish = platform::environment("SHEAF_TRACE");
    const auto folder = platform::environment("SHEAF_TRACE_DIR");
    if (!wish || *wish != "ring" || !folder) return {};
    const std::string path =
        fmt::format("{}/{}-{}.ring", *folder, world_rank, platform::process_id());
    SHEAF_TRY(RingImage * mapped, map_ring_file(path));
    mapped->process = g_in_memory.process;
    mapped->rank = world_rank;
    g_ring.store(mapped, std::memory_order_release);
    return {};
}

void dump() noexcept {
    const std::string text = describe(*g_ring.load(std::memory_order_acquire));
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

Result<std::string> describe_ring_file(const std::string& path) {
    auto image = std::make_unique<RingImage>();
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(image.get()), sizeof(RingImage));
    if (!file || image->magic != kRingMagic) {
        return Status{Code::argument, path + " is not a ring file (of this version)"};
    }
    return describe(*image);
}

}  // namespace sheaf::trace
