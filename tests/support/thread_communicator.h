// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Ranks as threads of one process: collective code runs in a unit test, and under sanitizers.

#include <functional>
#include <memory>

#include "mpi/communicator.h"

namespace sheaf::testing {

/// Runs `body` on `ranks` threads, each with the communicator of its rank, and waits for all.
///
/// The communicator is stricter than MPI promises to be. A collective call in which ranks differ
/// (in kind, length or root), a message longer than its room, a message that nobody received, and a
/// wait that cannot end (a rank returned, or 20 seconds passed) abort the test and say for each
/// rank in which call it is. Exchanges are buffered. `body` must not throw and must not leave early
/// on one rank only: use EXPECT, not ASSERT, between two collective calls.
void run_ranks(int ranks, const std::function<void(mpi::Communicator&)>& body);

/// Another communicator over the same ranks, as File::open() wants one to keep. The two share what
/// goes on: calls on them must not be mixed up in time on different ranks.
std::unique_ptr<mpi::Communicator> duplicate(const mpi::Communicator& communicator);

}  // namespace sheaf::testing
