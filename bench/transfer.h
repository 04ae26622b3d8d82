// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// One way of moving the bytes of all ranks to a file and back, measured through MPI and through
/// plain POSIX.

#include "measure.h"

namespace bench {

/// What each rank moves and how. Filled by a benchmark, measured by measure_transfer().
struct Transfer {
    using Write = std::function<int(MPI_File, const void*, int, MPI_Datatype, MPI_Status*)>;
    using Read = std::function<int(MPI_File, void*, int, MPI_Datatype, MPI_Status*)>;

    std::string case_name;
    std::string settings;
    std::vector<Piece> pieces;  // This rank's part of the file; what POSIX moves one by one.
    std::int64_t file_bytes;    // Of all ranks: together their pieces make up the file.
    MPI_Datatype etype;         // Unit of the view and of the memory.
    MPI_Datatype filetype;
    Write write;  // The calls under test.
    Read read;
};

/// Writes a fresh file and reads it, through MPI, then another one through POSIX; checks all bytes
/// after the clock stopped and prints four runs: write and read of impl "mpi" and "posix".
/// Opening the file and setting the view stand outside the measured time. Collective.
void measure_transfer(const Job& job, const Transfer& transfer);

}  // namespace bench
