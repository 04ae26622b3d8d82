// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "step.h"

namespace model {

/// Where an access takes its bytes from or puts them.
struct Memory {
    void* address;
    MPI_Datatype type;
};

/// Makes the MPI_File call that `step` and `action` describe, waits for its completion and returns
/// the MPI error code.
///
/// Functions are looked up by name at run time: headers older than MPI 4 do not declare the _c
/// variants, which an interposed library may still offer. Where there is none, the plain one
/// serves.
int make_call(MPI_File file, const Step& step, const Action& action, Memory memory,
              MPI_Status* status);

}  // namespace model
