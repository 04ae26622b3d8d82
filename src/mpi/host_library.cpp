// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/host_library.h"

#include <dlfcn.h>

#include "base/assert.h"

namespace sheaf::mpi {

namespace {

/// The loaded library with the SONAME this backend was linked for (SHEAF_HOST_SONAME, from CMake).
void* host_library() {
    static void* const library = ::dlopen(SHEAF_HOST_SONAME, RTLD_LAZY | RTLD_NOLOAD);
    SHEAF_ASSERT(library != nullptr);
    return library;
}

}  // namespace

void* host_symbol(const char* name) {
    return ::dlsym(host_library(), name);
}

}  // namespace sheaf::mpi
