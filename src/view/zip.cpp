// SPDX-License-Identifier: BSD-3-Clause
#include "view/zip.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/assert.h"
#include "view/pack.h"

namespace sheaf::view {

namespace {

/// A run seen as pieces of `length` bytes, which is at most its own piece length.
struct Cut {
    std::int64_t first;
    std::int64_t step;
    std::int64_t count;

    Cut(const StridedRun& run, std::int64_t length)
        : first(run.first.value),
          step(run.length.value == length ? run.stride : length),
          count(run.length.value == length ? run.count : run.length.value / length) {}
};

bool adjoins(const TransferPiece& last, const std::byte* memory, std::int64_t file_offset) {
    return last.memory + last.length.value == memory &&
           last.file_offset.value + last.length.value == file_offset;
}

}  // namespace

Zip::Zip(std::byte* base, Cursor memory, Cursor file)
    : base_(base), memory_(std::move(memory)), file_(std::move(file)) {}

std::size_t Zip::next(std::span<TransferPiece> batch) {
    std::size_t filled = 0;
    while (filled < batch.size() && !at_end()) {
        const StridedRun memory_run = memory_.strided_run();
        const StridedRun file_run = file_.strided_run();
        const ByteCount length = std::min(memory_run.length, file_run.length);
        const Cut memory{memory_run, length.value};
        const Cut file{file_run, length.value};
        const auto room = static_cast<std::int64_t>(batch.size() - filled);
        const std::int64_t count = std::min({memory.count, file.count, room});
        SHEAF_ASSERT(count > 0);
        std::byte* const start = address(base_, {memory.first});
        std::int64_t done = 0;
        if (filled > 0 && adjoins(batch[filled - 1], start, file.first)) {
            batch[filled - 1].length += length;
            done = 1;
        }
        for (; done < count; ++done) {
            batch[filled++] = {
                address(start, {done * memory.step}), length, {file.first + done * file.step}};
        }
        memory_.advance({count * length.value});
        file_.advance({count * length.value});
    }
    return filled;
}

}  // namespace sheaf::view
