// SPDX-License-Identifier: BSD-3-Clause
//
// tiles: a two-dimensional data set, written as tiles and read back as slabs of columns.
//
//     mpiexec -n 4 ./tiles PATH [ROWS [COLUMNS]]
//     mpiexec -n 4 sheaf exec ./tiles PATH [ROWS [COLUMNS]]
//
// The ranks form a grid. Each one sees the file through a view that shows its own tile only, so a
// single collective call per rank writes the whole data set. Then the ranks take another share,
// a slab of columns each, and read it: every rank meets elements that other ranks wrote.
//
// Each element tells its place in the data set, hence every byte can be checked: a rank checks
// what it read, and rank 0 reads the file once more without MPI, as any other program would.
//
// The last line is "tiles: OK" or "tiles: FAILED: <reason>". The file stays where it is.

#include <inttypes.h>
#include <limits.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRows = 0, kColumns = 1, kDefaultRows = 4096, kDefaultColumns = 4096 };

// A rectangle of the data set: its first row and column, and how many of each.
typedef struct {
    int start[2];
    int count[2];
} Block;

// Why this rank failed, or empty. A rank that failed goes on to the next agree(), where all ranks
// learn of it and leave together: nobody waits for a rank that is gone.
static char failure[512];

static void fail(const char* format, ...) {
    if (failure[0] != '\0') return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(failure, sizeof failure, format, arguments);
    va_end(arguments);
}

// Notes the failure of an MPI call. The errors of files are returned by default, not fatal.
static int check(int code, const char* call) {
    if (code == MPI_SUCCESS) return 1;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(code, text, &length);
    fail("%s: %s", call, text);
    return 0;
}

// True when no rank failed so far. Otherwise the lowest rank that failed says why. Collective.
static int agree(int rank) {
    int mine = failure[0] == '\0' ? INT_MAX : rank;
    int first = INT_MAX;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == rank) printf("tiles: FAILED: rank %d: %s\n", rank, failure);
    fflush(stdout);
    return first == INT_MAX;
}

// What stands at one place of the data set. Different at each place, with bits in all eight bytes.
static uint64_t element(const int size[2], int row, int column) {
    uint64_t index = (uint64_t)row * (uint64_t)size[kColumns] + (uint64_t)column;
    return (index + 1) * UINT64_C(0x9E3779B97F4A7C15);
}

// Part `part` of `parts` nearly equal parts of a dimension.
static void split(Block* block, int dimension, int size, int part, int parts) {
    int64_t begin = (int64_t)size * part / parts;
    int64_t end = (int64_t)size * (part + 1) / parts;
    block->start[dimension] = (int)begin;
    block->count[dimension] = (int)(end - begin);
}

static Block tile_of(int rank, const int grid[2], const int size[2]) {
    Block block;
    split(&block, kRows, size[kRows], rank / grid[kColumns], grid[kRows]);
    split(&block, kColumns, size[kColumns], rank % grid[kColumns], grid[kColumns]);
    return block;
}

static Block slab_of(int rank, int ranks, const int size[2]) {
    Block block;
    split(&block, kRows, size[kRows], 0, 1);
    split(&block, kColumns, size[kColumns], rank, ranks);
    return block;
}

static size_t elements_in(const Block* block) {
    return (size_t)block->count[kRows] * (size_t)block->count[kColumns];
}

static void fill(uint64_t* values, const Block* block, const int size[2]) {
    for (int row = 0; row < block->count[kRows]; row++)
        for (int column = 0; column < block->count[kColumns]; column++)
            *values++ = element(size, block->start[kRows] + row, block->start[kColumns] + column);
}

// Compares every byte of `values` with what must stand in `block`.
static void verify(const uint64_t* values, const Block* block, const int size[2]) {
    for (int i = 0; i < block->count[kRows]; i++) {
        for (int j = 0; j < block->count[kColumns]; j++, values++) {
            int row = block->start[kRows] + i;
            int column = block->start[kColumns] + j;
            uint64_t expected = element(size, row, column);
            if (*values == expected) continue;
            fail("row %d, column %d: expected %016" PRIx64 ", found %016" PRIx64, row, column,
                 expected, *values);
            return;
        }
    }
}

// Shows this rank nothing of the file but `block`, then writes or reads all of it. Collective.
static void transfer(MPI_File file, int write, uint64_t* values, const Block* block,
                     const int size[2]) {
    MPI_Datatype filetype;
    MPI_Type_create_subarray(2, size, block->count, block->start, MPI_ORDER_C, MPI_UINT64_T,
                             &filetype);
    MPI_Type_commit(&filetype);
    check(MPI_File_set_view(file, 0, MPI_UINT64_T, filetype, "native", MPI_INFO_NULL),
          "MPI_File_set_view");
    MPI_Type_free(&filetype);

    const char* call = write ? "MPI_File_write_all" : "MPI_File_read_all";
    int count = (int)elements_in(block);
    MPI_Status status;
    int code = write ? MPI_File_write_all(file, values, count, MPI_UINT64_T, &status)
                     : MPI_File_read_all(file, values, count, MPI_UINT64_T, &status);
    if (!check(code, call)) return;
    int moved = 0;
    MPI_Get_count(&status, MPI_UINT64_T, &moved);
    if (moved != count) fail("%s moved %d of %d elements", call, moved, count);
}

// Transfers and prints the bandwidth: all bytes over the time of the slowest rank. Collective.
static void timed_transfer(MPI_File file, int write, uint64_t* values, const Block* block,
                           const int size[2]) {
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = -MPI_Wtime();
    transfer(file, write, values, block, size);
    seconds += MPI_Wtime();

    int rank;
    double slowest = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    double mebibytes = 8.0 * size[kRows] * size[kColumns] / (1024 * 1024);
    const char* direction = write ? "write" : "read";
    if (rank == 0) printf("tiles: %s %.1f MiB/s\n", direction, mebibytes / slowest);
}

// The serial oracle: the whole file, row after row, by plain stdio. One rank calls it.
static void verify_file(const char* path, const int size[2]) {
    size_t columns = (size_t)size[kColumns];
    uint64_t* values = malloc(columns * sizeof *values);
    FILE* stream = fopen(path, "rb");
    if (values == NULL || stream == NULL) fail("cannot read %s without MPI", path);
    for (int row = 0; row < size[kRows] && failure[0] == '\0'; row++) {
        Block block = {{row, 0}, {1, size[kColumns]}};
        if (fread(values, sizeof *values, columns, stream) != columns)
            fail("%s ends in row %d of %d", path, row, size[kRows]);
        else
            verify(values, &block, size);
    }
    if (failure[0] == '\0' && fgetc(stream) != EOF) fail("%s is longer than the data set", path);
    if (stream != NULL) fclose(stream);
    free(values);
}

static int run(const char* path, const int size[2], int rank, int ranks) {
    int grid[2] = {0, 0};
    MPI_Dims_create(ranks, 2, grid);
    Block tile = tile_of(rank, grid, size);
    Block slab = slab_of(rank, ranks, size);
    size_t larger =
        elements_in(&tile) > elements_in(&slab) ? elements_in(&tile) : elements_in(&slab);
    uint64_t* values = malloc(larger * sizeof *values);
    if (values == NULL) fail("no memory for %zu elements", larger);

    // Emptied first: the bytes of an earlier run must not pass for ours.
    MPI_File file = MPI_FILE_NULL;
    int code =
        MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    if (check(code, "MPI_File_open")) check(MPI_File_set_size(file, 0), "MPI_File_set_size");

    int ok = agree(rank);
    if (ok) {
        fill(values, &tile, size);
        timed_transfer(file, 1, values, &tile, size);
        ok = agree(rank);
    }
    if (ok) {
        memset(values, 0, larger * sizeof *values);
        timed_transfer(file, 0, values, &slab, size);
        verify(values, &slab, size);
        ok = agree(rank);
    }
    // After a failure the file may be open on some ranks only; closing it would wait for the rest.
    if (ok) {
        check(MPI_File_close(&file), "MPI_File_close");
        if (rank == 0) verify_file(path, size);
        ok = agree(rank);
    }
    free(values);
    return ok;
}

// Reads a dimension; it must have room for all ranks, as no rank may be left without elements.
static int parse_size(const char* text, const char* name, int ranks) {
    char* end;
    long value = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value < ranks || value > 1000000)
        fail("%s must be a number from %d (the ranks) to 1000000, not '%s'", name, ranks, text);
    return (int)value;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    int size[2] = {kDefaultRows, kDefaultColumns};
    if (argc < 2 || argc > 4) fail("usage: tiles PATH [ROWS [COLUMNS]]");
    if (argc > 2) size[kRows] = parse_size(argv[2], "ROWS", ranks);
    if (argc > 3) size[kColumns] = parse_size(argv[3], "COLUMNS", ranks);
    if ((int64_t)size[kRows] * size[kColumns] > INT_MAX)
        fail("a data set of %d x %d elements is too large: at most %d", size[kRows], size[kColumns],
             INT_MAX);

    int ok = agree(rank) && run(argv[1], size, rank, ranks);
    if (ok && rank == 0) printf("tiles: OK\n");
    MPI_Finalize();
    return ok ? 0 : 1;
}
