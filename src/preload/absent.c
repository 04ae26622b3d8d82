// SPDX-License-Identifier: BSD-3-Clause

// Stand-ins for functions that the host's MPI library does not have. The trampolines make every
// name visible, so a program that looks for the large-count functions (mpi4py does) believes that
// they exist also where the host's own I/O is in use and has none.

#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "preload/preload.h"

static const struct sheaf_host_kind* host_kind;
static void* const* host_functions;

void sheaf_set_absent(const struct sheaf_host_kind* kind, void* const* targets) {
    host_kind = kind;
    host_functions = targets;
}

static long refuse(const char* name, const char* why) {
    const char* library = host_kind ? host_kind->soname : "any MPI library of this process";
    dprintf(STDERR_FILENO, "sheaf: %s is not in %s%s\n", name, library, why);
    return host_kind ? host_kind->unsupported_class : 1;
}

// At most six arguments, all of them integers or pointers: they travel in registers on both
// architectures, whatever their number.
typedef long (*any_function)(long, long, long, long, long, long);

/// Calls the plain function `index` in place of its large-count form `name`.
static long call_plain(size_t index, const char* name, int position, const long arguments[6]) {
    if (!host_functions) return refuse(name, "");
    const long count = position == 0 ? 0 : arguments[position - 1];
    if (count > INT_MAX || count < INT_MIN) {
        return refuse(name, " and the count does not fit an int");
    }
    any_function plain;
    *(void**)&plain = host_functions[index];
    return plain(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                 arguments[5]);
}

#define SHEAF_FUNCTION(name, kind, state, text) \
    static long absent_##name(void) {           \
        return refuse(#name, "");               \
    }
#define SHEAF_LARGE_COUNT(name, position, state, text)                              \
    static long absent_##name##_c(long a, long b, long c, long d, long e, long f) { \
        const long arguments[6] = {a, b, c, d, e, f};                               \
        return call_plain(sheaf_index_##name, #name "_c", position, arguments);     \
    }
#define SHEAF_FORTRAN_OMPI(name)      \
    static long absent_##name(void) { \
        return refuse(#name, "");     \
    }
#include "abi/functions.def"
#undef SHEAF_FUNCTION
#undef SHEAF_LARGE_COUNT
#undef SHEAF_FORTRAN_OMPI

void* sheaf_absent(size_t index) {
    switch ((enum sheaf_index)index) {
#define SHEAF_FUNCTION(name, kind, state, text) \
    case sheaf_index_##name:                    \
    case sheaf_index_P##name:                   \
        return __extension__(void*) absent_##name;
#define SHEAF_LARGE_COUNT(name, position, state, text) \
    case sheaf_index_##name##_c:                       \
    case sheaf_index_P##name##_c:                      \
        return __extension__(void*) absent_##name##_c;
#define SHEAF_FORTRAN_OMPI(name) \
    case sheaf_index_##name:     \
        return __extension__(void*) absent_##name;
#include "abi/functions.def"
#undef SHEAF_FUNCTION
#undef SHEAF_LARGE_COUNT
#undef SHEAF_FORTRAN_OMPI
        case sheaf_index_count:
            break;
    }
    return NULL;
}
