// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What the ABIs disagree about and mpi.h does not settle. Each function is defined once per ABI,
/// in mpi/{mpich,ompi,abi}/constants.cpp.

#include <mpi.h>

namespace sheaf::mpi {

/// MPI_ERRORS_ABORT (MPI 4.0), or MPI_ERRHANDLER_NULL where the host has none.
[[nodiscard]] MPI_Errhandler errors_abort();

/// The Fortran (and integer) form of MPI_FILE_NULL.
[[nodiscard]] int fortran_file_null();

/// Has the host give up the core while it waits, for more ranks than cores (SHEAF_YIELD). False
/// when the host offers no way to do that from outside.
bool yield_while_waiting();

}  // namespace sheaf::mpi
