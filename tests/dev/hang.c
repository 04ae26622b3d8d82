// SPDX-License-Identifier: BSD-3-Clause

// Hangs on purpose: rank 0 stays away from a collective write that the others wait in. What the
// runner makes of it is tested by test_watchdog.py. Usage: hang FILE

#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
    MPI_File file = MPI_FILE_NULL;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc != 2 || MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR,
                                   MPI_INFO_NULL, &file) != MPI_SUCCESS) {
        fprintf(stderr, "usage: hang FILE\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (rank == 0) {
        printf("rank 0 stays away\n");
        fflush(stdout);
        sleep(600);
    }
    MPI_File_write_all(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
