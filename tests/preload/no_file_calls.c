// SPDX-License-Identifier: BSD-3-Clause

// An MPI program without file I/O; ends with the status given as its argument.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    printf("buffered text");  // No newline: whoever ends this process must not lose it.
    MPI_Finalize();
    return argc > 1 ? atoi(argv[1]) : 0;
}
