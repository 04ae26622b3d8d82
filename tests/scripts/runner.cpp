// SPDX-License-Identifier: BSD-3-Clause

/// Plays `.iotest` scripts: iotest [--dir DIR] FILE|FOLDER...
///
/// One launch plays all scripts; each runs on the first ranks of the job. The language is described
/// in README.md beside this file.

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "lexer.h"
#include "player.h"
#include "script.h"

namespace iotest {
namespace {

struct Tally {
    int passed = 0;
    int failed = 0;
    int skipped = 0;
};

/// The scripts of a folder in the order of their names, or the one file given.
std::vector<std::string> scripts_at(const std::string& path) {
    if (!std::filesystem::is_directory(path)) return {path};
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator{path}) {
        if (entry.path().extension() == ".iotest") files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

class Job {
public:
    explicit Job(std::string dir) : dir_{std::move(dir)} {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        number_ = static_cast<int>(getpid());
        MPI_Bcast(&number_, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }

    void run(const std::string& file) {
        const std::optional<Script> script = load(file);
        if (!script) {
            ++tally_.failed;
        } else if (script->ranks > size_) {
            ++tally_.skipped;
            say("skip: " + file + " needs " + std::to_string(script->ranks) + " ranks");
        } else {
            note_traces(*script);
            play(file, *script);
        }
    }

    int conclude() {
        if (traces_ > 0)
            say("note: " + std::to_string(traces_) + " trace lines were read but not checked");
        if (rank_ == 0)
            std::printf("%d passed, %d failed, %d skipped\n", tally_.passed, tally_.failed,
                        tally_.skipped);
        return tally_.failed == 0 ? 0 : 1;
    }

private:
    std::optional<Script> load(const std::string& file) {
        std::ifstream stream{file};
        if (!stream.is_open()) {
            say(file + ": cannot be read");
            return std::nullopt;
        }
        const std::string text{std::istreambuf_iterator<char>{stream},
                               std::istreambuf_iterator<char>{}};
        try {
            return read_script(text, rank_);
        } catch (const Mistake& mistake) {
            say(file + ":" + mistake.what());
            return std::nullopt;
        }
    }

    void note_traces(const Script& script) {
        for (const Statement& statement : script.statements)
            traces_ += statement.kind == StatementKind::trace ? 1 : 0;
    }

    void play(const std::string& file, const Script& script) {
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, rank_ < script.ranks ? 0 : MPI_UNDEFINED, rank_, &comm);
        std::string fault;
        ++played_;
        if (comm != MPI_COMM_NULL) {
            Player player{
                comm, dir_ + "/iotest." + std::to_string(number_) + "." + std::to_string(played_)};
            fault = player.play(script);
            MPI_Comm_free(&comm);
        }
        report(file, fault);
    }

    /// Rank 0 prints every rank's fault, in the order of ranks.
    void report(const std::string& file, const std::string& fault) {
        std::array<char, 2000> own{};
        std::snprintf(own.data(), own.size(), "%s", fault.c_str());
        const int length = static_cast<int>(own.size());
        std::vector<char> all(static_cast<std::size_t>(size_) * own.size());
        MPI_Allgather(own.data(), length, MPI_CHAR, all.data(), length, MPI_CHAR, MPI_COMM_WORLD);
        bool failed = false;
        for (int rank = 0; rank < size_; ++rank) {
            const char* const text = &all[static_cast<std::size_t>(rank) * own.size()];
            if (text[0] == '\0') continue;
            failed = true;
            say(file + ":" + text + " (rank " + std::to_string(rank) + ")");
        }
        ++(failed ? tally_.failed : tally_.passed);
    }

    void say(const std::string& text) const {
        if (rank_ != 0) return;
        std::printf("%s\n", text.c_str());
        std::fflush(stdout);
    }

    std::string dir_;
    int rank_ = 0;
    int size_ = 1;
    int number_ = 0;  ///< Names this job's files.
    int played_ = 0;
    int traces_ = 0;
    Tally tally_;
};

}  // namespace
}  // namespace iotest

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const char* const temporary = std::getenv("TMPDIR");
    std::string dir = temporary != nullptr ? temporary : "/tmp";
    int first = 1;
    if (argc > 2 && std::string{argv[1]} == "--dir") {
        dir = argv[2];
        first = 3;
    }
    iotest::Job job{dir};
    for (int i = first; i < argc; ++i) {
        for (const std::string& file : iotest::scripts_at(argv[i])) job.run(file);
    }
    const int status = job.conclude();
    MPI_Finalize();
    return status;
}
