// SPDX-License-Identifier: BSD-3-Clause

/// MPICH's extension: file error handlers with a state of their own.

#include <mpi.h>

#include "abi/error_handlers.h"
#include "base/guard.h"
#include "mpi/host_library.h"

using namespace sheaf;
using namespace sheaf::abi;

extern "C" {

// Declared here: older headers lack it.
using StatefulHandler = void(MPI_File, int, void*);
using StateDestructor = void(void*);
int MPIX_File_create_errhandler_x(StatefulHandler* function, StateDestructor* destroy, void* state,
                                  MPI_Errhandler* handler);

int MPIX_File_create_errhandler_x(StatefulHandler* function, StateDestructor* destroy, void* state,
                                  MPI_Errhandler* handler) {
    using Create = int(StatefulHandler*, StateDestructor*, void*, MPI_Errhandler*);
    auto* create = reinterpret_cast<Create*>(mpi::host_symbol("MPIX_File_create_errhandler_x"));
    if (create == nullptr) {
        return report(MPI_FILE_NULL, {Code::unsupported_operation,
                                      "MPIX_File_create_errhandler_x: not in this MPI library"});
    }
    const int code = create(function, destroy, state, handler);
    if (code != MPI_SUCCESS) return code;
    return guard([](const Status& status) { return report(MPI_FILE_NULL, status); },
                 [&]() -> Status {
                     register_handler(*handler, [function, state](MPI_File* file, int* error) {
                         function(*file, *error, state);
                     });
                     return {};
                 });
}

}  // extern "C"
