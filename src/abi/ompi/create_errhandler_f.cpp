// SPDX-License-Identifier: BSD-3-Clause

/// Open MPI's Fortran bindings make file error handlers without passing through C. All their entry
/// points are linker twins of this function.

#include <mpi.h>

#include "abi/error_handlers.h"
#include "mpi/host_library.h"

using namespace sheaf;
using namespace sheaf::abi;

extern "C" {

using FortranHandler = void(MPI_Fint*, MPI_Fint*, ...);
void ompi_file_create_errhandler_f(FortranHandler* function, MPI_Fint* handler, MPI_Fint* error);

void ompi_file_create_errhandler_f(FortranHandler* function, MPI_Fint* handler, MPI_Fint* error) {
    const auto create = mpi::host(&ompi_file_create_errhandler_f, "ompi_file_create_errhandler_f");
    if (create == nullptr) {
        *error = report(MPI_FILE_NULL, {Code::unsupported_operation,
                                        "create_errhandler: the host has no Fortran entry"});
        return;
    }
    create(function, handler, error);
    if (*error != MPI_SUCCESS) return;
    // The address of a handle of ours is the address of its Fortran form: handles.h.
    register_handler(PMPI_Errhandler_f2c(*handler), [function](MPI_File* file, int* code) {
        function(reinterpret_cast<MPI_Fint*>(file), code);
    });
}

}  // extern "C"
