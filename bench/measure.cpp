// SPDX-License-Identifier: BSD-3-Clause
#include "measure.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace bench {
namespace {

constexpr std::int64_t kWordBytes = 8;

double now_seconds() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// What stands at a word of the file: a step of splitmix64, so neighbours have nothing in common.
std::uint64_t word_at(std::int64_t index, std::uint64_t seed) {
    std::uint64_t x = (static_cast<std::uint64_t>(index) + seed) * 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    return x ^ (x >> 27);
}

std::size_t words(std::int64_t bytes) {
    return static_cast<std::size_t>(bytes / kWordBytes);
}

// pread or pwrite of everything, however the system cuts it.
template <class Transfer, class Byte>
void transfer_all(Transfer transfer, Byte* data, Piece piece, const std::string& path) {
    while (piece.bytes > 0) {
        ssize_t moved = transfer(data, static_cast<std::size_t>(piece.bytes), piece.offset);
        if (moved < 0 && errno == EINTR) continue;
        if (moved <= 0) {
            fail("POSIX transfer, " + path + " at byte " + std::to_string(piece.offset) + ": " +
                 (moved == 0 ? "end of file" : std::strerror(errno)));
        }
        data += moved;
        piece.offset += moved;
        piece.bytes -= moved;
    }
}

}  // namespace

Job::Job(const char* name, int argc, char** argv) : name_(name) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    for (int i = 1; i < argc; i++) {
        std::string word = argv[i];
        if (word == "--small") {
            small_ = true;
        } else if (word == "--seed" && i + 1 < argc) {
            seed_ = std::strtoull(argv[++i], nullptr, 10);
        } else if (directory_.empty() && word[0] != '-') {
            directory_ = word;
        } else {
            fail("unknown argument '" + word + "'; usage: " + name_ + " DIR [--seed S] [--small]");
        }
    }
    if (directory_.empty()) fail("usage: " + name_ + " DIR [--seed S] [--small]");

    // Some MPIs connect ranks when these first meet; the first run must not pay for that.
    std::vector<int> from(static_cast<std::size_t>(ranks_)), to(from);
    MPI_Alltoall(from.data(), 1, MPI_INT, to.data(), 1, MPI_INT, MPI_COMM_WORLD);
}

Job::~Job() {
    MPI_Finalize();
}

double Job::time(const std::function<void()>& body) const {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = now_seconds();
    body();
    double end = now_seconds();
    // The start is negated, so that one reduction finds the latest end and the earliest start.
    double mine[2] = {-start, end};
    double latest[2];
    MPI_Allreduce(mine, latest, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return latest[0] + latest[1];
}

void Job::print(const Run& run) const {
    if (rank_ != 0) return;
    std::printf(
        "{\"bench\":\"%s\",\"case\":\"%s\",\"metric\":\"%s\",\"impl\":\"%s\",\"ranks\":%d,"
        "\"seed\":%llu,\"seconds\":%.9f,\"bytes\":%lld,\"operations\":%lld,\"settings\":%s}\n",
        name_.c_str(), run.case_name.c_str(), run.metric.c_str(), run.impl.c_str(), ranks_,
        static_cast<unsigned long long>(seed_), run.seconds, static_cast<long long>(run.bytes),
        static_cast<long long>(run.operations), run.settings.c_str());
    std::fflush(stdout);
}

void Job::remove(const std::string& path) const {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_ == 0 && unlink(path.c_str()) != 0 && errno != ENOENT)
        fail("cannot delete " + path + ": " + std::strerror(errno));
    MPI_Barrier(MPI_COMM_WORLD);
}

void fail(const std::string& text) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::fprintf(stderr, "bench: FAILED: rank %d: %s\n", rank, text.c_str());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
}

void check(int code, const char* call) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    fail(std::string(call) + ": " + text);
}

void check_count(const MPI_Status& status, MPI_Datatype type, int count, const char* call) {
    int moved = 0;
    MPI_Get_count(&status, type, &moved);
    if (moved != count) {
        fail(std::string(call) + " moved " + std::to_string(moved) + " of " +
             std::to_string(count) + " elements");
    }
}

std::int64_t total_bytes(const std::vector<Piece>& pieces) {
    std::int64_t sum = 0;
    for (const Piece& piece : pieces) sum += piece.bytes;
    return sum;
}

void fill(Buffer& buffer, const std::vector<Piece>& pieces, std::uint64_t seed) {
    buffer.resize(words(total_bytes(pieces)));
    std::size_t at = 0;
    for (const Piece& piece : pieces) {
        std::int64_t first = piece.offset / kWordBytes;
        for (std::int64_t i = 0; i < piece.bytes / kWordBytes; i++)
            buffer[at++] = word_at(first + i, seed);
    }
}

void check_buffer(const Buffer& buffer, const std::vector<Piece>& pieces, std::uint64_t seed) {
    std::size_t at = 0;
    for (const Piece& piece : pieces) {
        std::int64_t first = piece.offset / kWordBytes;
        for (std::int64_t i = 0; i < piece.bytes / kWordBytes; i++, at++) {
            if (buffer[at] == word_at(first + i, seed)) continue;
            fail("wrong bytes: file offset " + std::to_string(piece.offset + i * kWordBytes) +
                 ", byte " + std::to_string(at * kWordBytes) + " of the buffer");
        }
    }
}

void check_file(const Job& job, const std::string& path, std::int64_t bytes) {
    MPI_Barrier(MPI_COMM_WORLD);
    PosixFile file(path, O_RDONLY);
    std::int64_t all = bytes / kWordBytes;
    std::int64_t begin = all * job.rank() / job.ranks() * kWordBytes;
    std::int64_t end = all * (job.rank() + 1) / job.ranks() * kWordBytes;
    constexpr std::int64_t kChunkBytes = 4 << 20;
    Buffer buffer;
    for (std::int64_t at = begin; at < end; at += kChunkBytes) {
        std::vector<Piece> piece{{at, std::min(kChunkBytes, end - at)}};
        buffer.resize(words(piece[0].bytes));
        file.read(buffer, piece);
        check_buffer(buffer, piece, job.seed());
    }
    if (file.size() != bytes) fail(path + " has " + std::to_string(file.size()) + " bytes");
    MPI_Barrier(MPI_COMM_WORLD);
}

void warm_up(const Job& job, std::int64_t bytes) {
    std::string path = job.path("warm-up");
    std::int64_t share = bytes / job.ranks() / kWordBytes * kWordBytes;
    {
        PosixFile file(path, O_RDWR | O_CREAT);
        file.write(Buffer(words(share)), {{share * job.rank(), share}});
    }
    job.remove(path);
}

PosixFile::PosixFile(const std::string& path, int flags)
    : descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0600)), path_(path) {
    if (descriptor_ < 0) fail("cannot open " + path + ": " + std::strerror(errno));
}

PosixFile::~PosixFile() {
    close(descriptor_);
}

std::int64_t PosixFile::size() const {
    return lseek(descriptor_, 0, SEEK_END);
}

void PosixFile::write(const Buffer& buffer, const std::vector<Piece>& pieces) const {
    auto transfer = [this](const char* data, std::size_t bytes, std::int64_t offset) {
        return pwrite(descriptor_, data, bytes, offset);
    };
    const char* data = reinterpret_cast<const char*>(buffer.data());
    for (const Piece& piece : pieces) {
        transfer_all(transfer, data, piece, path_);
        data += piece.bytes;
    }
}

void PosixFile::read(Buffer& buffer, const std::vector<Piece>& pieces) const {
    auto transfer = [this](char* data, std::size_t bytes, std::int64_t offset) {
        return pread(descriptor_, data, bytes, offset);
    };
    char* data = reinterpret_cast<char*>(buffer.data());
    for (const Piece& piece : pieces) {
        transfer_all(transfer, data, piece, path_);
        data += piece.bytes;
    }
}

}  // namespace bench
