// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Address space.

#include <cstddef>
#include <cstdint>

namespace sheaf::platform {

/// Zeroed, readable and writable memory of `size` bytes at a multiple of `alignment`, never given
/// back; pages come into being when touched. Null when the address space has no room.
[[nodiscard]] void* reserve_aligned(std::size_t size, std::uintptr_t alignment);

}  // namespace sheaf::platform
