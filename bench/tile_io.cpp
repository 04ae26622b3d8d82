// SPDX-License-Identifier: BSD-3-Clause
//
// tile_io: how fast do ranks write and read the tiles of a two-dimensional data set together?
//
// The ranks form a grid, each owns one tile and sees it through a subarray view, as the public
// program mpi-tile-io does; one MPI_File_write_all and one MPI_File_read_all move everything.
// Case 64B has elements of 64 bytes in rows of 32 KiB (128 MiB in all), case 1MiB has elements of
// 1 MiB in rows of 8 MiB (256 MiB in all). The POSIX column moves each row of the tile by one
// pwrite or pread.
//
// Expected shape: on a local file system both cases come near POSIX, since the rows are large and
// no two ranks touch the same byte; exchanging data between ranks first can only lose. More ranks
// than cores change little.

#include <algorithm>

#include "transfer.h"

namespace {

constexpr std::int64_t kMiB = 1 << 20;

struct Shape {
    const char* name;
    int element_bytes;
    int columns;  // of one tile
    std::int64_t file_bytes;
};

bench::Transfer tile_transfer(const bench::Job& job, const Shape& shape) {
    int grid[2] = {0, 0};
    MPI_Dims_create(job.ranks(), 2, grid);
    std::int64_t row_bytes = std::int64_t{shape.columns} * shape.element_bytes;
    std::int64_t rows = std::max<std::int64_t>(1, shape.file_bytes / row_bytes / job.ranks());
    int tile[2] = {static_cast<int>(rows), shape.columns};
    int all[2] = {tile[0] * grid[0], tile[1] * grid[1]};
    int start[2] = {job.rank() / grid[1] * tile[0], job.rank() % grid[1] * tile[1]};

    bench::Transfer transfer;
    transfer.case_name = shape.name;
    transfer.settings = "{\"tile_rows\":" + std::to_string(tile[0]) +
                        ",\"row_bytes\":" + std::to_string(row_bytes) + "}";
    for (int row = 0; row < tile[0]; row++) {
        std::int64_t element = std::int64_t{start[0] + row} * all[1] + start[1];
        transfer.pieces.push_back({element * shape.element_bytes, row_bytes});
    }
    transfer.file_bytes = row_bytes * rows * job.ranks();
    MPI_Type_contiguous(shape.element_bytes, MPI_BYTE, &transfer.etype);
    MPI_Type_commit(&transfer.etype);
    MPI_Type_create_subarray(2, all, tile, start, MPI_ORDER_C, transfer.etype, &transfer.filetype);
    MPI_Type_commit(&transfer.filetype);
    transfer.write = MPI_File_write_all;
    transfer.read = MPI_File_read_all;
    return transfer;
}

}  // namespace

int main(int argc, char** argv) {
    bench::Job job("tile_io", argc, argv);
    Shape small_elements{"64B", 64, 512, job.small() ? kMiB : 128 * kMiB};
    Shape large_elements{"1MiB", kMiB, job.small() ? 1 : 8, job.small() ? 8 * kMiB : 256 * kMiB};
    for (const Shape& shape : {small_elements, large_elements}) {
        bench::Transfer transfer = tile_transfer(job, shape);
        bench::measure_transfer(job, transfer);
        MPI_Type_free(&transfer.filetype);
        MPI_Type_free(&transfer.etype);
    }
}
