// SPDX-License-Identifier: BSD-3-Clause

/// Runs random programs of MPI file calls and compares every byte, status and pointer with a file
/// that is kept in memory. See README.md beside this file for how to read and rerun a failure.

#include <mpi.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>

#include "executor.h"
#include "generator.h"
#include "options.h"
#include "watchdog.h"

namespace model {
namespace {

constexpr double kProgressEvery_s = 15;

double now_s() {
    using Clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

struct Tally {
    int passed = 0;
    int failed = 0;
    int skipped = 0;
};

class Job {
public:
    explicit Job(Options options) : options_{std::move(options)} {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        job_id_ = static_cast<int>(getpid());
        MPI_Bcast(&job_id_, 1, MPI_INT, 0, MPI_COMM_WORLD);
        for (int ranks : options_.ranks) {
            if (ranks > size_ || communicators_.count(ranks) != 0) continue;
            MPI_Comm comm = MPI_COMM_NULL;
            MPI_Comm_split(MPI_COMM_WORLD, rank_ < ranks ? 0 : MPI_UNDEFINED, rank_, &comm);
            communicators_[ranks] = comm;
        }
    }
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    ~Job() {
        for (auto& [ranks, comm] : communicators_) {
            if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
        }
    }

    /// The exit status: 0 when no program failed.
    int run() {
        const double start = now_s();
        double told = start;
        for (int i = 0; i < options_.programs; ++i) {
            if (is_over(start)) {
                tally_.skipped = options_.programs - i;
                break;
            }
            run_program(options_.first_seed + static_cast<std::uint64_t>(i));
            if (rank_ != 0 || now_s() - told < kProgressEvery_s) continue;
            told = now_s();
            std::printf("model: %d of %d programs\n", i + 1, options_.programs);
            std::fflush(stdout);
        }
        gentle_barrier(MPI_COMM_WORLD);
        if (rank_ == 0)
            std::printf("%d passed, %d failed, %d skipped\n", tally_.passed, tally_.failed,
                        tally_.skipped);
        int failed = tally_.failed;
        MPI_Bcast(&failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
        return failed == 0 ? 0 : 1;
    }

private:
    /// Whether the time is up, decided by rank 0 for all.
    bool is_over(double start) {
        if (options_.seconds == 0) return false;
        gentle_barrier(MPI_COMM_WORLD);
        int over = now_s() - start > options_.seconds ? 1 : 0;
        MPI_Bcast(&over, 1, MPI_INT, 0, MPI_COMM_WORLD);
        return over != 0;
    }

    [[nodiscard]] int ranks_for(std::uint64_t seed) const {
        return Random{seed ^ 0x5eedU}.pick(options_.ranks);
    }

    void run_program(std::uint64_t seed) {
        const int ranks = ranks_for(seed);
        const auto found = communicators_.find(ranks);
        if (found == communicators_.end()) {
            ++tally_.skipped;
            return;
        }
        if (rank_ >= ranks) return;
        pause_watchdog();
        gentle_barrier(found->second);
        Findings findings;
        const std::string path =
            options_.dir + "/model." + std::to_string(job_id_) + "." + std::to_string(seed);
        Generator program{seed, ranks, rank_, options_.features, options_.ops};
        Executor executor{found->second, path, options_.tolerated, findings};
        execute(seed, program, executor, findings);
        conclude(seed, found->second, findings);
    }

    void execute(std::uint64_t seed, Generator& program, Executor& executor, Findings& findings) {
        const std::string who = "seed " + std::to_string(seed) + " rank " + std::to_string(rank_);
        executor.prepare(program);
        int number = 0;
        while (std::optional<Step> step = program.next()) {
            ++number;
            const std::string words = describe(*step, rank_);
            note_step(who + " op " + std::to_string(number) + ": " + words);
            findings.at(number, words);
            if (options_.listing && rank_ == 0) {
                std::printf("%3d %s", number, describe(*step).c_str());
                std::fflush(stdout);
            }
            if (!executor.run(*step, program)) return;
        }
        findings.at(number, "end of program");
        executor.finish(program);
        note_step(who + " at the end of the program");
    }

    /// Prints what the ranks found, in their order, and counts.
    void conclude(std::uint64_t seed, MPI_Comm comm, const Findings& findings) {
        int ranks = 0;
        MPI_Comm_size(comm, &ranks);
        int own = findings.failed() ? 1 : 0;
        int any = 0;
        MPI_Allreduce(&own, &any, 1, MPI_INT, MPI_MAX, comm);
        if (any == 0) {
            ++tally_.passed;
            return;
        }
        ++tally_.failed;
        if (rank_ == 0)
            std::printf("FAILED seed %llu; rerun with --seed %llu --ranks %d\n",
                        static_cast<unsigned long long>(seed),
                        static_cast<unsigned long long>(seed), ranks);
        std::array<char, 3000> text{};
        std::snprintf(text.data(), text.size(), "%s", findings.text().c_str());
        if (rank_ != 0) {
            MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, 0, comm);
            return;
        }
        for (int from = 0; from < ranks; ++from) {
            if (from > 0)
                MPI_Recv(text.data(), static_cast<int>(text.size()), MPI_CHAR, from, 0, comm,
                         MPI_STATUS_IGNORE);
            if (text[0] != '\0') std::printf("    rank %d, %s\n", from, text.data());
        }
        std::fflush(stdout);
    }

    Options options_;
    int rank_ = 0;
    int size_ = 1;
    int job_id_ = 0;  ///< Names this job's files.
    std::map<int, MPI_Comm> communicators_;
    Tally tally_;
};

}  // namespace
}  // namespace model

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    std::string mistake;
    model::Options options = model::parse_options(argc, argv, mistake);
    int status = 2;
    if (mistake.empty()) {
        model::start_watchdog(options.watchdog_seconds);
        status = model::Job{options}.run();
    } else {
        std::fprintf(stderr, "model: %s\n%s", mistake.c_str(), model::kUsage);
    }
    model::pause_watchdog();
    MPI_Finalize();
    return status;
}
