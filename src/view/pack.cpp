// SPDX-License-Identifier: BSD-3-Clause
#include "view/pack.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/assert.h"

namespace sheaf::view {

namespace {

/// A place in noncontiguous memory or in a contiguous buffer, and the way to the next piece.
template <class Byte>
struct Side {
    Byte* at;
    std::int64_t step;
};

/// `length` may be a compile-time constant: then each copy is a few instructions.
template <class Length>
void copy_equal(Side<std::byte> to, Side<const std::byte> from, std::int64_t count, Length length) {
    for (std::int64_t i = 0; i < count; ++i) {
        std::memcpy(to.at + i * to.step, from.at + i * from.step, static_cast<std::size_t>(length));
    }
}

void copy_pieces(Side<std::byte> to, Side<const std::byte> from, std::int64_t count,
                 std::int64_t length) {
    switch (length) {
        case 1:
            return copy_equal(to, from, count, std::integral_constant<std::int64_t, 1>{});
        case 2:
            return copy_equal(to, from, count, std::integral_constant<std::int64_t, 2>{});
        case 4:
            return copy_equal(to, from, count, std::integral_constant<std::int64_t, 4>{});
        case 8:
            return copy_equal(to, from, count, std::integral_constant<std::int64_t, 8>{});
        case 16:
            return copy_equal(to, from, count, std::integral_constant<std::int64_t, 16>{});
        default:
            return copy_equal(to, from, count, length);
    }
}

/// Calls `copy(memory offset, stride, count, length)` for runs that make up `total` bytes.
template <class Copy>
void for_runs(Cursor& memory, std::int64_t total, Copy copy) {
    SHEAF_ASSERT(total <= memory.remaining().value);
    while (total > 0) {
        StridedRun run = memory.strided_run();
        run.count = std::min(run.count, total / run.length.value);
        if (run.count == 0) run = {run.first, {total}, 0, 1};
        copy(run);
        memory.advance(run.size());
        total -= run.size().value;
    }
}

}  // namespace

std::byte* address(std::byte* base, ByteOffset offset) {
    const auto number = reinterpret_cast<std::uintptr_t>(base);
    return reinterpret_cast<std::byte*>(number + static_cast<std::uintptr_t>(offset.value));
}

void gather(const std::byte* base, Cursor& memory, std::span<std::byte> out) {
    std::byte* to = out.data();
    auto* const from = const_cast<std::byte*>(base);
    for_runs(memory, static_cast<std::int64_t>(out.size()), [&](const StridedRun& run) {
        const std::int64_t length = run.length.value;
        copy_pieces({to, length}, {address(from, run.first), run.stride}, run.count, length);
        to += run.size().value;
    });
}

void scatter(std::byte* base, Cursor& memory, std::span<const std::byte> in) {
    const std::byte* from = in.data();
    for_runs(memory, static_cast<std::int64_t>(in.size()), [&](const StridedRun& run) {
        const std::int64_t length = run.length.value;
        copy_pieces({address(base, run.first), run.stride}, {from, length}, run.count, length);
        from += run.size().value;
    });
}

}  // namespace sheaf::view
