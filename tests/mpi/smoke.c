// SPDX-License-Identifier: BSD-3-Clause

// The smallest MPI-IO program: every rank writes a block of its own, reads its right neighbour's
// and compares. Knows nothing of Sheaf. Usage: smoke FILE

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { kBlockBytes = 1000 };

static void fill(unsigned char* block, int rank) {
    for (int i = 0; i < kBlockBytes; ++i) block[i] = (unsigned char)(rank * 31 + i);
}

static int failed(const char* what, int code) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (code == MPI_SUCCESS) return 0;
    MPI_Error_string(code, text, &length);
    fprintf(stderr, "smoke: %s: %s\n", what, text);
    return 1;
}

static int run(const char* path, int rank, int ranks) {
    unsigned char block[kBlockBytes];
    unsigned char expected[kBlockBytes];
    const int neighbour = (rank + 1) % ranks;
    MPI_File file;
    MPI_Status status;
    const int amode = MPI_MODE_CREATE | MPI_MODE_RDWR;
    if (failed("open", MPI_File_open(MPI_COMM_WORLD, path, amode, MPI_INFO_NULL, &file))) return 1;

    fill(block, rank);
    MPI_Offset offset = (MPI_Offset)rank * kBlockBytes;
    int bad =
        failed("write_at", MPI_File_write_at(file, offset, block, kBlockBytes, MPI_BYTE, &status));
    MPI_Barrier(MPI_COMM_WORLD);

    fill(expected, neighbour);
    memset(block, 0, sizeof block);
    offset = (MPI_Offset)neighbour * kBlockBytes;
    bad |= failed("read_at", MPI_File_read_at(file, offset, block, kBlockBytes, MPI_BYTE, &status));
    if (memcmp(block, expected, sizeof block) != 0) {
        fprintf(stderr, "smoke: rank %d read wrong bytes in [%d, %d)\n", rank,
                neighbour * kBlockBytes, (neighbour + 1) * kBlockBytes);
        bad = 1;
    }
    bad |= failed("close", MPI_File_close(&file));
    return bad;
}

int main(int argc, char** argv) {
    int rank;
    int ranks;
    int any_bad;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc != 2) {
        fprintf(stderr, "usage: smoke FILE\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int bad = run(argv[1], rank, ranks);
    MPI_Allreduce(&bad, &any_bad, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0 && !any_bad) printf("smoke: OK\n");
    MPI_Finalize();
    return any_bad;
}
