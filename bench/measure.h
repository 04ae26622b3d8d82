// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What the benchmarks share: one job, one clock, files whose bytes can be checked, and one line of
/// JSON per measured run on the standard output of rank 0.
///
/// Nothing here knows of Sheaf: the same program measures the host's own I/O and, under
/// `sheaf exec`, Sheaf. What went wrong ends the job with a text, as does a wrong byte: a benchmark
/// of wrong results is worth nothing.

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// A contiguous part of the file. Offsets and lengths are multiples of eight.
struct Piece {
    std::int64_t offset;
    std::int64_t bytes;
};

using Buffer = std::vector<std::uint64_t>;

/// What rank 0 prints of one measured run.
struct Run {
    std::string case_name;        // "64B", "collective", ...
    std::string metric;           // "write", "read", "time" or "memory"
    std::string impl;             // "mpi" or "posix"
    double seconds = 0;           // latest end minus earliest start over the ranks
    std::int64_t bytes = 0;       // of all ranks; of the largest rank when metric is "memory"
    std::int64_t operations = 1;  // how many times the thing was done within `seconds`
    std::string settings = "{}";  // JSON: the shape of the run
};

/// The MPI job: from construction to destruction MPI is up. Arguments are
/// `DIR [--seed S] [--small]`; --small makes data sets that take no time, for tests.
class Job {
public:
    Job(const char* name, int argc, char** argv);
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    int rank() const { return rank_; }
    int ranks() const { return ranks_; }
    bool small() const { return small_; }
    std::uint64_t seed() const { return seed_; }

    /// Where a file of this benchmark stands; the same on all ranks.
    std::string path(const std::string& name) const {
        return directory_ + "/" + name_ + "." + name;
    }

    /// Runs `body` on every rank and returns the seconds from the earliest start to the latest
    /// end, by the one clock of this node. A barrier stands before it. Collective.
    double time(const std::function<void()>& body) const;

    /// Prints one line of JSON. Rank 0 does it, the others may call it.
    void print(const Run& run) const;

    /// Deletes a file, which need not exist, before anybody goes on. Collective.
    void remove(const std::string& path) const;

private:
    std::string name_;
    std::string directory_;
    std::uint64_t seed_ = 1;
    bool small_ = false;
    int rank_ = 0;
    int ranks_ = 1;
};

/// Ends the job with a text. Never returns.
[[noreturn]] void fail(const std::string& text);

/// Ends the job when an MPI call failed.
void check(int code, const char* call);

/// Ends the job when a transfer moved another number of `type` than asked for.
void check_count(const MPI_Status& status, MPI_Datatype type, int count, const char* call);

std::int64_t total_bytes(const std::vector<Piece>& pieces);

/// Fills `buffer` with what belongs into `pieces`, in their order. The content of a file depends on
/// the seed and on the place alone, so any part of it can be checked by itself.
void fill(Buffer& buffer, const std::vector<Piece>& pieces, std::uint64_t seed);

/// Ends the job when `buffer` does not hold what belongs into `pieces`.
void check_buffer(const Buffer& buffer, const std::vector<Piece>& pieces, std::uint64_t seed);

/// Ends the job when the file does not hold `bytes` right bytes and no more. Reads it with plain
/// POSIX, each rank its share. Collective.
void check_file(const Job& job, const std::string& path, std::int64_t bytes);

/// Writes a file of `bytes` and deletes it: the memory that a file system takes for its cache is
/// dear the first time it is touched, and that must not fall on whoever is measured first.
/// Collective.
void warm_up(const Job& job, std::int64_t bytes);

/// An open file descriptor, closed when destroyed.
class PosixFile {
public:
    PosixFile(const std::string& path, int flags);
    ~PosixFile();
    PosixFile(const PosixFile&) = delete;
    PosixFile& operator=(const PosixFile&) = delete;

    std::int64_t size() const;
    void write(const Buffer& buffer, const std::vector<Piece>& pieces) const;
    void read(Buffer& buffer, const std::vector<Piece>& pieces) const;

private:
    int descriptor_;
    std::string path_;
};

}  // namespace bench
