// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The shape that all functions on an open file share.

#include <mpi.h>

#include "abi/error_handlers.h"
#include "abi/handles.h"
#include "base/guard.h"

namespace sheaf::abi {

/// Runs `body(OpenHandle&)` for an open file and reports its Status to the file's error handler.
template <class Body>
int on_file(MPI_File file, Body&& body) noexcept {
    return guard([file](const Status& status) { return report(file, status); },
                 [&]() -> Status {
                     SHEAF_TRY(OpenHandle * open, lookup(file));
                     return body(*open);
                 });
}

/// The failure of a Result, or OK: for arguments that a collective call carries along.
template <class T>
Status precondition_of(const Result<T>& result) {
    return result.status();
}

}  // namespace sheaf::abi
