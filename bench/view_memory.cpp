// SPDX-License-Identifier: BSD-3-Clause
//
// view_memory: what does a view of very many tiny pieces cost?
//
// Each rank has 10^7 blocks of eight bytes; in the file those of the ranks alternate. A rank sees
// its column of them through a vector (case vector) or a subarray (case subarray), sets this view
// and writes it by one MPI_File_write_all. Two figures: the time of set_view and write together,
// and the growth of resident memory, at its peak, over what the program itself holds. Meant for 2
// ranks. The POSIX column, of the time only, is one pwrite per block.
//
// Expected shape: memory does not depend on the number of blocks, a few MiB; time below that of
// POSIX, as that many system calls cannot be fast. An implementation that flattens the view needs
// tens of bytes per block.

#include <fcntl.h>
#include <malloc.h>

#include <algorithm>
#include <fstream>

#include "measure.h"

namespace {

constexpr int kBlockBytes = 8;

// A line of /proc/self/status, in bytes.
std::int64_t memory_bytes(const std::string& field) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.compare(0, field.size() + 1, field + ":") == 0)
            return std::strtoll(line.c_str() + field.size() + 1, nullptr, 10) * 1024;
    }
    bench::fail("no " + field + " in /proc/self/status");
}

// Gives freed memory back and lets VmHWM start from here; returns what is resident now.
std::int64_t start_memory_clock() {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << "5";
    return memory_bytes("VmRSS");
}

MPI_Datatype vector_type(int blocks, int ranks, int) {
    MPI_Datatype type;
    MPI_Type_vector(blocks, 1, ranks, MPI_DOUBLE, &type);
    return type;
}

MPI_Datatype subarray_type(int blocks, int ranks, int rank) {
    int all[2] = {blocks, ranks};
    int mine[2] = {blocks, 1};
    int start[2] = {0, rank};
    MPI_Datatype type;
    MPI_Type_create_subarray(2, all, mine, start, MPI_ORDER_C, MPI_DOUBLE, &type);
    return type;
}

// One case: its file type and where its first tile starts.
struct View {
    const char* name;
    MPI_Datatype filetype;
    MPI_Offset displacement;
};

struct Column {
    const bench::Job& job;
    std::vector<bench::Piece> pieces;
    bench::Buffer buffer;

    std::int64_t file_bytes() const {
        return std::int64_t(pieces.size()) * kBlockBytes * job.ranks();
    }

    void print(const char* name, const char* metric, const char* impl, double seconds,
               std::int64_t bytes) const {
        std::string blocks = std::to_string(pieces.size());
        job.print({.case_name = name,
                   .metric = metric,
                   .impl = impl,
                   .seconds = seconds,
                   .bytes = bytes,
                   .operations = 1,
                   .settings = "{\"blocks_per_rank\":" + blocks + ",\"block_bytes\":8}"});
    }
};

void measure_mpi(const Column& column, const View& view) {
    const bench::Job& job = column.job;
    std::string path = job.path("mpi");
    job.remove(path);
    MPI_File file = MPI_FILE_NULL;
    bench::check(MPI_File_open(MPI_COMM_WORLD, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR,
                               MPI_INFO_NULL, &file),
                 "MPI_File_open");

    int count = static_cast<int>(column.buffer.size());
    MPI_Status status;
    int set = MPI_SUCCESS;
    int written = MPI_SUCCESS;
    std::int64_t before = start_memory_clock();
    double seconds = job.time([&] {
        set = MPI_File_set_view(file, view.displacement, MPI_DOUBLE, view.filetype, "native",
                                MPI_INFO_NULL);
        written = MPI_File_write_all(file, column.buffer.data(), count, MPI_DOUBLE, &status);
    });
    std::int64_t growth = std::max<std::int64_t>(0, memory_bytes("VmHWM") - before);
    bench::check(set, "MPI_File_set_view");
    bench::check(written, "MPI_File_write_all");
    bench::check_count(status, MPI_DOUBLE, count, "MPI_File_write_all");
    bench::check(MPI_File_close(&file), "MPI_File_close");
    bench::check_file(job, path, column.file_bytes());

    std::int64_t largest = 0;
    MPI_Reduce(&growth, &largest, 1, MPI_INT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
    column.print(view.name, "time", "mpi", seconds, column.file_bytes());
    column.print(view.name, "memory", "mpi", seconds, largest);
    job.remove(path);
}

double measure_posix(const Column& column) {
    std::string path = column.job.path("posix");
    column.job.remove(path);
    bench::PosixFile file(path, O_RDWR | O_CREAT);
    double seconds = column.job.time([&] { file.write(column.buffer, column.pieces); });
    bench::check_file(column.job, path, column.file_bytes());
    column.job.remove(path);
    return seconds;
}

}  // namespace

int main(int argc, char** argv) {
    bench::Job job("view_memory", argc, argv);
    int blocks = job.small() ? 10000 : 10000000;
    Column column{job, {}, {}};
    for (std::int64_t i = 0; i < blocks; i++)
        column.pieces.push_back({(i * job.ranks() + job.rank()) * kBlockBytes, kBlockBytes});
    bench::fill(column.buffer, column.pieces, job.seed());

    bench::warm_up(job, column.file_bytes());

    View views[] = {
        {"vector", vector_type(blocks, job.ranks(), job.rank()), job.rank() * kBlockBytes},
        {"subarray", subarray_type(blocks, job.ranks(), job.rank()), 0},
    };
    for (View& view : views) {
        MPI_Type_commit(&view.filetype);
        measure_mpi(column, view);
        MPI_Type_free(&view.filetype);
    }
    double seconds = measure_posix(column);
    for (const View& view : views)
        column.print(view.name, "time", "posix", seconds, column.file_bytes());
}
