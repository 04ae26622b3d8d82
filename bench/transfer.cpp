// SPDX-License-Identifier: BSD-3-Clause
#include "transfer.h"

#include <fcntl.h>

#include <algorithm>

namespace bench {
namespace {

MPI_File open_with_view(const std::string& path, int mode, const Transfer& transfer) {
    MPI_File file = MPI_FILE_NULL;
    check(MPI_File_open(MPI_COMM_WORLD, path.c_str(), mode, MPI_INFO_NULL, &file), "MPI_File_open");
    check(MPI_File_set_view(file, 0, transfer.etype, transfer.filetype, "native", MPI_INFO_NULL),
          "MPI_File_set_view");
    return file;
}

void print(const Job& job, const Transfer& transfer, const char* metric, const char* impl,
           double seconds) {
    job.print({.case_name = transfer.case_name,
               .metric = metric,
               .impl = impl,
               .seconds = seconds,
               .bytes = transfer.file_bytes,
               .operations = 1,
               .settings = transfer.settings});
}

// The buffer is cleared before reading, so that what was written cannot pass for what was read.
void measure_mpi(const Job& job, const Transfer& transfer, Buffer& buffer) {
    std::string path = job.path("mpi");
    int etype_bytes = 0;
    MPI_Type_size(transfer.etype, &etype_bytes);
    int count = static_cast<int>(total_bytes(transfer.pieces) / etype_bytes);
    MPI_Status status;

    job.remove(path);
    MPI_File file = open_with_view(path, MPI_MODE_CREATE | MPI_MODE_RDWR, transfer);
    int code = MPI_SUCCESS;
    double seconds = job.time(
        [&] { code = transfer.write(file, buffer.data(), count, transfer.etype, &status); });
    check(code, "write");
    check_count(status, transfer.etype, count, "write");
    check(MPI_File_close(&file), "MPI_File_close");
    check_file(job, path, transfer.file_bytes);
    print(job, transfer, "write", "mpi", seconds);

    std::fill(buffer.begin(), buffer.end(), 0);
    file = open_with_view(path, MPI_MODE_RDONLY, transfer);
    seconds = job.time(
        [&] { code = transfer.read(file, buffer.data(), count, transfer.etype, &status); });
    check(code, "read");
    check_count(status, transfer.etype, count, "read");
    check_buffer(buffer, transfer.pieces, job.seed());
    check(MPI_File_close(&file), "MPI_File_close");
    print(job, transfer, "read", "mpi", seconds);
    job.remove(path);
}

void measure_posix(const Job& job, const Transfer& transfer, Buffer& buffer) {
    std::string path = job.path("posix");
    job.remove(path);
    {
        PosixFile file(path, O_RDWR | O_CREAT);
        double seconds = job.time([&] { file.write(buffer, transfer.pieces); });
        check_file(job, path, transfer.file_bytes);
        print(job, transfer, "write", "posix", seconds);

        std::fill(buffer.begin(), buffer.end(), 0);
        seconds = job.time([&] { file.read(buffer, transfer.pieces); });
        check_buffer(buffer, transfer.pieces, job.seed());
        print(job, transfer, "read", "posix", seconds);
    }
    job.remove(path);
}

}  // namespace

void measure_transfer(const Job& job, const Transfer& transfer) {
    Buffer buffer;
    fill(buffer, transfer.pieces, job.seed());
    warm_up(job, transfer.file_bytes);
    measure_mpi(job, transfer, buffer);
    measure_posix(job, transfer, buffer);
}

}  // namespace bench
