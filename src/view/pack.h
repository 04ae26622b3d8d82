// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Copies between noncontiguous memory and a contiguous buffer.

#include <cstddef>
#include <span>

#include "base/types.h"
#include "view/cursor.h"

namespace sheaf::view {

/// The address `offset` bytes from `base`. A null base (MPI_BOTTOM) makes the offset the address.
[[nodiscard]] std::byte* address(std::byte* base, ByteOffset offset);

/// Copies the next `out.size()` data bytes of `memory` into `out` and moves the cursor past them.
/// Requires: out.size() <= memory.remaining().
void gather(const std::byte* base, Cursor& memory, std::span<std::byte> out);

/// Copies `in` over the next `in.size()` data bytes of `memory`, likewise.
void scatter(std::byte* base, Cursor& memory, std::span<const std::byte> in);

}  // namespace sheaf::view
