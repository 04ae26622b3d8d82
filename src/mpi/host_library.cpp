// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/host_library.h"

#include <dlfcn.h>

#include <atomic>

#include "base/assert.h"

namespace sheaf::mpi {

namespace {

/// The loaded library with the SONAME this backend was linked for (SHEAF_HOST_SONAME, from CMake).
void* host_library() {
    static void* const library = ::dlopen(SHEAF_HOST_SONAME, RTLD_LAZY | RTLD_NOLOAD);
    SHEAF_ASSERT(library != nullptr);
    return library;
}

// Relaxed: a flag that is polled; nothing else is published with it.
std::atomic<bool> g_finalizing{false};

}  // namespace

void note_finalizing() {
    g_finalizing.store(true, std::memory_order_relaxed);
}

bool host_is_finalizing() {
    return g_finalizing.load(std::memory_order_relaxed);
}

void* host_symbol(const char* name) {
    return ::dlsym(host_library(), name);
}

}  // namespace sheaf::mpi
