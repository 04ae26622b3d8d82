// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/constants.h"

#include <unistd.h>

#include "mpi/host_library.h"

namespace sheaf::mpi {

namespace {

// MPIX_Async_start of MPICH 4.2 and later, declared here because older headers lack it.
using AsyncThing = void*;
using AsyncPoll = int (*)(AsyncThing);
using AsyncStart = int (*)(AsyncPoll, void* extra_state, int stream);
constexpr int kAsyncNoProgress = 0;
constexpr int kAsyncDone = 1;
constexpr int kNoStream = 0x3c000000;

// Sleeping every 20th poll beats sched_yield by far when ranks outnumber cores: a waiting rank
// leaves the run queue.
constexpr int kPollsBeforeSleep = 20;
constexpr useconds_t kSleepMicroseconds = 50;

int poll_and_yield(AsyncThing /*thing*/) {
    static thread_local int polls = 0;
    // MPI_Finalize waits for the hook to say that it is done.
    if (host_is_finalizing()) return kAsyncDone;
    if (++polls % kPollsBeforeSleep == 0) ::usleep(kSleepMicroseconds);
    return kAsyncNoProgress;
}

}  // namespace

MPI_Errhandler errors_abort() {
    return MPI_ERRORS_ABORT;
}

int fortran_file_null() {
    return 0;
}

bool yield_while_waiting() {
    const auto start = reinterpret_cast<AsyncStart>(host_symbol("MPIX_Async_start"));
    return start != nullptr && start(poll_and_yield, nullptr, kNoStream) == MPI_SUCCESS;
}

}  // namespace sheaf::mpi
