// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/constants.h"

#include <cstdint>

namespace sheaf::mpi {

MPI_Errhandler errors_abort() {
    return MPI_ERRORS_ABORT;
}

int fortran_file_null() {
    return static_cast<int>(reinterpret_cast<std::intptr_t>(MPI_FILE_NULL));
}

bool yield_while_waiting() {
    return false;
}

}  // namespace sheaf::mpi
