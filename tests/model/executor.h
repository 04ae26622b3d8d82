// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>
#include <optional>
#include <string>

#include "generator.h"
#include "step.h"

namespace model {

/// Known faults of other implementations that shall not count, so that new ones stand out.
struct Tolerated {
    bool short_read_count = false;  ///< Reads at the end of file report bytes that were not there.
    bool short_read_pointer =
        false;                       ///< The pointer moves by what was read, not by what was asked.
    bool short_read_memory = false;  ///< Memory behind the end of file is overwritten.
    bool seek_end = false;           ///< MPI_SEEK_END is wrong in views with holes.
    bool refusal_class = false;      ///< Any error will do where one is due.
};

/// What one rank found wrong in one program; only the first fault counts, later ones follow from
/// it.
class Findings {
public:
    void at(int step_number, std::string step) {
        step_number_ = step_number;
        step_ = std::move(step);
    }
    void fail(const std::string& what);
    [[nodiscard]] bool failed() const { return !text_.empty(); }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    int step_number_ = 0;
    std::string step_;
    std::string text_;
};

/// Runs the steps of one program with MPI calls and compares their results with what must come.
class Executor {
public:
    Executor(MPI_Comm comm, std::string path, const Tolerated& tolerated, Findings& findings);

    /// Makes the file what it shall be before the first open. Collective.
    void prepare(const Generator& program);
    /// False: the file could not be opened, the program cannot go on. Agreed by all ranks.
    bool run(const Step& step, const Generator& program);
    /// Compares the file with the image, as a POSIX program sees it, and removes it. Collective.
    void finish(const Generator& program);

private:
    bool open(const Step& step);
    void refused_open(const Step& step);
    void access(const Step& step, const Action& action);
    void check_status(const Action& action, MPI_Datatype type, MPI_Status& status);
    void check_pointer(const Step& step, const Action& action);
    void set_view(const View& view);
    void seek(const Action& action);
    void byte_offset(const Action& action);
    void get_size(std::int64_t expected);
    void visible();
    void run_on_whole_file(const Step& step);
    void check(const char* call, int code);
    void check_refusal(const char* call, int code, Refusal refusal);
    void check_file(const FileImage& image);

    MPI_Comm comm_;
    std::string path_;
    const Tolerated& tolerated_;
    Findings& findings_;
    int rank_ = 0;
    MPI_File file_ = MPI_FILE_NULL;
};

/// A barrier that leaves the processor to others while it waits: ranks outnumber cores in tests.
void gentle_barrier(MPI_Comm comm);

/// To explain a fault: whether the MPI library's own datatype engine disagrees with the typemap.
/// That alone is no fault, and libraries have such mistakes.
std::string host_remark(const Type& type);

/// Compares what MPI_File_get_view returns with `view`: that its types decode and select the same
/// bytes. Returns what is wrong.
std::optional<std::string> view_fault(MPI_File file, const View& view);

}  // namespace model
