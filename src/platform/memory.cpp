// SPDX-License-Identifier: BSD-3-Clause
#include "platform/memory.h"

#include <sys/mman.h>

#include "base/assert.h"

namespace sheaf::platform {

void* reserve_aligned(std::size_t size, std::uintptr_t alignment) {
    SHEAF_ASSERT(size > 0 && alignment > 0 && size <= alignment);
    // Reserve enough to find a multiple inside, then give the rest back.
    const std::size_t reserved = size + alignment;
    void* whole =
        ::mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (whole == MAP_FAILED) return nullptr;
    const auto begin = reinterpret_cast<std::uintptr_t>(whole);
    const std::uintptr_t aligned = (begin + alignment - 1) / alignment * alignment;
    const std::uintptr_t end = begin + reserved;
    if (aligned > begin) ::munmap(whole, aligned - begin);
    if (end > aligned + size)
        ::munmap(reinterpret_cast<void*>(aligned + size), end - aligned - size);
    void* memory = reinterpret_cast<void*>(aligned);
    return ::mprotect(memory, size, PROT_READ | PROT_WRITE) == 0 ? memory : nullptr;
}

}  // namespace sheaf::platform
