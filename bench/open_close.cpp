// SPDX-License-Identifier: BSD-3-Clause
//
// open_close: what does a collective MPI_File_open with the MPI_File_close after it cost?
//
// Case existing opens a file of 1 MiB for reading and writing, case new creates a file that was not
// there. 50 of each in a row, measured together, since the ranks leave a barrier too far apart to
// time a single one. The POSIX column is open and close on every rank (with O_CREAT when new),
// which agrees on nothing.
//
// Expected shape: some tens of microseconds while every rank has a core, the price of a few
// reductions; many times that when ranks outnumber the cores. POSIX stays far below.

#include <fcntl.h>
#include <unistd.h>

#include "measure.h"

namespace {

constexpr int kFiles = 50;

using OpenClose = std::function<void(const std::string& path, bool create)>;

void open_close_mpi(const std::string& path, bool create) {
    int mode = MPI_MODE_RDWR | (create ? MPI_MODE_CREATE : 0);
    MPI_File file = MPI_FILE_NULL;
    bench::check(MPI_File_open(MPI_COMM_WORLD, path.c_str(), mode, MPI_INFO_NULL, &file),
                 "MPI_File_open");
    bench::check(MPI_File_close(&file), "MPI_File_close");
}

void open_close_posix(const std::string& path, bool create) {
    bench::PosixFile file(path, O_RDWR | (create ? O_CREAT : 0));
}

void print(const bench::Job& job, const char* case_name, const char* impl, double seconds,
           int count) {
    job.print({.case_name = case_name,
               .metric = "time",
               .impl = impl,
               .seconds = seconds,
               .bytes = 0,
               .operations = count,
               .settings = "{\"files\":" + std::to_string(count) + "}"});
}

void measure_existing(const bench::Job& job, const char* impl, const OpenClose& open_close) {
    std::string path = job.path(impl);
    job.remove(path);
    if (job.rank() == 0) {
        bench::PosixFile file(path, O_WRONLY | O_CREAT);
        file.write(bench::Buffer((1 << 20) / 8), {{0, 1 << 20}});
    }
    int count = job.small() ? 3 : kFiles;
    double seconds = job.time([&] {
        for (int i = 0; i < count; i++) open_close(path, false);
    });
    print(job, "existing", impl, seconds, count);
    bench::PosixFile file(path, O_RDONLY);
    if (file.size() != 1 << 20) bench::fail("opening changed the size of " + path);
    job.remove(path);
}

void measure_new(const bench::Job& job, const char* impl, const OpenClose& open_close) {
    int count = job.small() ? 3 : kFiles;
    std::vector<std::string> paths;
    for (int i = 0; i < count; i++) paths.push_back(job.path(impl + std::to_string(i)));
    for (const std::string& path : paths) job.remove(path);
    double seconds = job.time([&] {
        for (const std::string& path : paths) open_close(path, true);
    });
    print(job, "new", impl, seconds, count);
    for (const std::string& path : paths) {
        if (access(path.c_str(), F_OK) != 0) bench::fail(path + " was not created");
        job.remove(path);
    }
}

}  // namespace

int main(int argc, char** argv) {
    bench::Job job("open_close", argc, argv);
    measure_existing(job, "mpi", open_close_mpi);
    measure_existing(job, "posix", open_close_posix);
    measure_new(job, "mpi", open_close_mpi);
    measure_new(job, "posix", open_close_posix);
}
