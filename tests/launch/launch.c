// SPDX-License-Identifier: BSD-3-Clause

// Does the launcher of this MPI start the ranks it was asked for, and do they reach each other?
// One argument: the number of ranks expected.

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int sum = 0;
    for (int i = 0; i < 100; ++i) MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    const int expected = argc > 1 ? atoi(argv[1]) : size;
    const int good = size == expected && sum == size * (size - 1) / 2;
    if (rank == 0 && !good) printf("expected %d ranks, found %d, sum %d\n", expected, size, sum);
    if (rank == 0) printf("%d passed, %d failed, 0 skipped\n", good, !good);
    MPI_Finalize();
    return good ? 0 : 1;
}
