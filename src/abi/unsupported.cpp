// SPDX-License-Identifier: BSD-3-Clause

// The functions of the table that are not built yet. They are exported all the same: one missing
// symbol would hand our file handle to the host's library. This file includes no mpi.h, so that the
// definitions need not repeat its parameter lists; a C function may be called with more arguments
// than it reads.

/// Raises MPI_ERR_UNSUPPORTED_OPERATION for the call `name` through the error handler of `file`, or
/// of MPI_FILE_NULL when `file` is null, and returns the code. Defined beside the error handlers.
extern "C" int sheaf_unsupported(void* file, const char* name);

#define SHEAF_DEFINE_done_file(name)
#define SHEAF_DEFINE_done_other(name)
#define SHEAF_DEFINE_unsupported_file(name)    \
    extern "C" int name(void* file) {          \
        return sheaf_unsupported(file, #name); \
    }
#define SHEAF_DEFINE_unsupported_other(name)      \
    extern "C" int name() {                       \
        return sheaf_unsupported(nullptr, #name); \
    }

#define SHEAF_FUNCTION(name, kind, state, comes_with) SHEAF_DEFINE_##state##_##kind(name)
#define SHEAF_LARGE_COUNT(name, position, state, comes_with) SHEAF_DEFINE_##state##_file(name##_c)
#define SHEAF_FORTRAN_OMPI(name)
#include "abi/functions.def"
