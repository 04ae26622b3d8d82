// SPDX-License-Identifier: BSD-3-Clause
//
// discontiguous: how are many small pieces at random places served?
//
// The file is a sequence of 1 KiB blocks dealt out to the ranks at random, 32 MiB each; a rank sees
// its blocks, in file order, through an indexed view, and moves them by one call: collective
// (MPI_File_write_all, MPI_File_read_all) or independent (MPI_File_write, MPI_File_read). The
// POSIX column is one pwrite or pread per block.
//
// Expected shape: vectored calls beat POSIX block by block in writing, where each block costs a
// system call. Data sieving pays for reading (a quarter of the bytes read is wanted at 4 ranks),
// less and less with more ranks.

#include <algorithm>
#include <numeric>
#include <random>

#include "transfer.h"

namespace {

constexpr int kBlockBytes = 1024;

// The blocks of this rank, ascending. Every rank shuffles alike, by the seed.
std::vector<std::int64_t> blocks_of(const bench::Job& job, std::int64_t per_rank) {
    std::vector<std::int64_t> deck(static_cast<std::size_t>(per_rank * job.ranks()));
    std::iota(deck.begin(), deck.end(), 0);
    std::mt19937_64 random(job.seed());
    std::shuffle(deck.begin(), deck.end(), random);
    auto first = deck.begin() + per_rank * job.rank();
    std::vector<std::int64_t> mine(first, first + per_rank);
    std::sort(mine.begin(), mine.end());
    return mine;
}

bench::Transfer block_transfer(const bench::Job& job, std::vector<std::int64_t> blocks) {
    bench::Transfer transfer;
    transfer.settings =
        "{\"block_bytes\":1024,\"blocks_per_rank\":" + std::to_string(blocks.size()) + "}";
    transfer.file_bytes = std::int64_t(blocks.size()) * job.ranks() * kBlockBytes;
    std::vector<MPI_Aint> places;
    for (std::int64_t block : blocks) {
        places.push_back(block * kBlockBytes);
        transfer.pieces.push_back({block * kBlockBytes, kBlockBytes});
    }
    transfer.etype = MPI_BYTE;
    MPI_Type_create_hindexed_block(static_cast<int>(places.size()), kBlockBytes, places.data(),
                                   MPI_BYTE, &transfer.filetype);
    MPI_Type_commit(&transfer.filetype);
    return transfer;
}

}  // namespace

int main(int argc, char** argv) {
    bench::Job job("discontiguous", argc, argv);
    std::int64_t per_rank = (job.small() ? 64 << 10 : 32 << 20) / kBlockBytes;
    bench::Transfer transfer = block_transfer(job, blocks_of(job, per_rank));

    transfer.case_name = "collective";
    transfer.write = MPI_File_write_all;
    transfer.read = MPI_File_read_all;
    bench::measure_transfer(job, transfer);

    transfer.case_name = "independent";
    transfer.write = MPI_File_write;
    transfer.read = MPI_File_read;
    bench::measure_transfer(job, transfer);
    MPI_Type_free(&transfer.filetype);
}
