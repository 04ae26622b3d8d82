// SPDX-License-Identifier: BSD-3-Clause
//
// contiguous: what does MPI-IO add to the cost of one large contiguous piece per rank?
//
// Each rank has 64 MiB beside those of its neighbours and moves them by one call with an explicit
// offset: MPI_File_write_at and MPI_File_read_at (case independent), MPI_File_write_at_all and
// MPI_File_read_at_all (case collective). The POSIX column is one pwrite or pread per rank.
//
// Expected shape: all equal POSIX. Nothing is to be gained by exchange, so a collective call that
// is slower than the independent one has chosen badly.

#include "transfer.h"

namespace {

bench::Transfer slab_transfer(const bench::Job& job, const char* name) {
    std::int64_t bytes = job.small() ? 64 << 10 : 64 << 20;
    bench::Transfer transfer;
    transfer.case_name = name;
    transfer.settings = "{\"bytes_per_rank\":" + std::to_string(bytes) + "}";
    transfer.pieces = {{bytes * job.rank(), bytes}};
    transfer.file_bytes = bytes * job.ranks();
    transfer.etype = MPI_BYTE;
    transfer.filetype = MPI_BYTE;
    return transfer;
}

}  // namespace

int main(int argc, char** argv) {
    bench::Job job("contiguous", argc, argv);

    bench::Transfer independent = slab_transfer(job, "independent");
    MPI_Offset offset = independent.pieces[0].offset;
    independent.write = [offset](MPI_File file, const void* data, int count, MPI_Datatype type,
                                 MPI_Status* status) {
        return MPI_File_write_at(file, offset, data, count, type, status);
    };
    independent.read = [offset](MPI_File file, void* data, int count, MPI_Datatype type,
                                MPI_Status* status) {
        return MPI_File_read_at(file, offset, data, count, type, status);
    };
    bench::measure_transfer(job, independent);

    bench::Transfer collective = slab_transfer(job, "collective");
    collective.write = [offset](MPI_File file, const void* data, int count, MPI_Datatype type,
                                MPI_Status* status) {
        return MPI_File_write_at_all(file, offset, data, count, type, status);
    };
    collective.read = [offset](MPI_File file, void* data, int count, MPI_Datatype type,
                               MPI_Status* status) {
        return MPI_File_read_at_all(file, offset, data, count, type, status);
    };
    bench::measure_transfer(job, collective);
}
