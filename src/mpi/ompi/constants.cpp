// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/constants.h"

#include "mpi/host_library.h"

namespace sheaf::mpi {

MPI_Errhandler errors_abort() {
    // The header of Open MPI 4 does not know the handler that Open MPI 5 has.
    void* handler = host_symbol("ompi_mpi_errors_abort");
    return handler != nullptr ? static_cast<MPI_Errhandler>(handler) : MPI_ERRHANDLER_NULL;
}

int fortran_file_null() {
    return 0;
}

bool yield_while_waiting() {
    return false;
}  // Open MPI yields by itself when oversubscribed.

}  // namespace sheaf::mpi
