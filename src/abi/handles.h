// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// MPI_File handles: where they come from and what they lead to.
///
/// A handle is an address in an arena whose beginning is a multiple of 4 GiB, so that the lower 32
/// bits of a handle are its Fortran form: no table, no lock, and one call serves error handlers in
/// C and in Fortran. The arena is readable memory: a host library that looks into a handle of ours
/// by mistake finds zeros and not a fault.

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "abi/error_handlers.h"
#include "abi/types.h"
#include "file/file.h"
#include "mpi/host_communicator.h"

namespace sheaf::abi {

/// What a handle leads to: the file, and what MPI says about it beyond bytes. Thread-safe as File.
struct OpenHandle {
    std::unique_ptr<File> file;
    mpi::HostCommunicator* communicator = nullptr;  // Owned by `file`.
    FileErrorHandler error_handler;
    int amode = 0;  // In the host's constants.
    ViewTypes types;
};

/// A new handle. Fails with Code::no_memory when 65,535 files are open.
Result<MPI_File> insert(std::unique_ptr<OpenHandle> open);

/// What an open file's handle leads to; null for everything else, any bit pattern included.
[[nodiscard]] OpenHandle* find(MPI_File handle);

/// As find(), with a failure for those that are not open.
Result<OpenHandle*> lookup(MPI_File handle);

/// Ends a handle's life; it stays invalid for long.
std::unique_ptr<OpenHandle> remove(MPI_File handle);

/// Files still open.
[[nodiscard]] std::vector<std::string> open_paths();

[[nodiscard]] int to_fortran(MPI_File handle);
[[nodiscard]] MPI_File from_fortran(int handle);

}  // namespace sheaf::abi
