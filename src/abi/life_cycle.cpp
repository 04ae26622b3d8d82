// SPDX-License-Identifier: BSD-3-Clause

/// The beginning and the end of a process's MPI, and the texts of errors.

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>

#include "abi/error_map.h"
#include "abi/handles.h"
#include "base/assert.h"
#include "base/guard.h"
#include "mpi/constants.h"
#include "mpi/host_library.h"
#include "platform/console.h"
#include "platform/environment.h"
#include "trace/ring.h"

namespace sheaf::abi {

namespace {

/// Files that are still open when MPI ends were left by the program: said, and left to the system.
/// No collective call can be made for them here, since other ranks may have closed theirs.
int tear_down(MPI_Comm /*self*/, int /*keyval*/, void* /*value*/, void* /*state*/) {
    for (const std::string& path : open_paths()) {
        platform::say(fmt::format("{} was still open at MPI_Finalize", path));
    }
    return MPI_SUCCESS;
}

/// Has tear_down() run when MPI_Finalize frees MPI_COMM_SELF. Attributes go in reverse order, and
/// ours is the first, so libraries that close files in theirs (HDF5 does) find Sheaf working.
Status hook_tear_down() {
    int keyval = MPI_KEYVAL_INVALID;
    SHEAF_CHECK(
        mpi::check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, tear_down, &keyval, nullptr),
                   "MPI_Comm_create_keyval"));
    return mpi::check(PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr), "MPI_Comm_set_attr");
}

Status begin() {
    int rank = 0;
    SHEAF_CHECK(mpi::check(PMPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank"));
    SHEAF_CHECK(hook_tear_down());
    SHEAF_CHECK(trace::start(rank));
    if (platform::environment("SHEAF_YIELD").value_or("0") != "0") mpi::yield_while_waiting();
    if (rank != 0) return {};
    for (const std::string& name : platform::unknown_environment()) {
        platform::say(fmt::format("unknown environment variable {}", name));
    }
    return {};
}

/// After the host's MPI_Init went well. Trouble of ours is said and never fails the program's
/// start.
int after_init(int code) {
    if (code != MPI_SUCCESS) return code;
    return guard(
        [](const Status& status) {
            if (!status.ok()) platform::say(status.text());
            return MPI_SUCCESS;
        },
        begin);
}

}  // namespace

}  // namespace sheaf::abi

using namespace sheaf;
using namespace sheaf::abi;

extern "C" {

int MPI_Init(int* argc, char*** argv) {
    return after_init(mpi::host(&PMPI_Init, "PMPI_Init")(argc, argv));
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return after_init(
        mpi::host(&PMPI_Init_thread, "PMPI_Init_thread")(argc, argv, required, provided));
}

int MPI_Finalize(void) {
    // Before the host begins: MPICH waits there for hooks to say that they are done.
    mpi::note_finalizing();
    return mpi::host(&PMPI_Finalize, "PMPI_Finalize")();
}

int MPI_Error_string(int code, char* text, int* length) {
    const std::string_view ours = remembered_error(code);
    if (ours.empty()) return mpi::host(&PMPI_Error_string, "PMPI_Error_string")(code, text, length);
    const std::string fitted = fit_error_text(ours, MPI_MAX_ERROR_STRING - 1);
    SHEAF_ASSERT(fitted.size() < MPI_MAX_ERROR_STRING);
    std::copy_n(fitted.c_str(), fitted.size() + 1, text);
    *length = static_cast<int>(fitted.size());
    return MPI_SUCCESS;
}

}  // extern "C"
