// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Communicator: the messages that Sheaf's ranks exchange, without mpi.h.
///
/// Everything above mpi/ talks through this class, so it compiles once for all MPIs and runs in
/// tests over threads (tests/support/thread_communicator.h) as well as over MPI
/// (mpi/host_communicator.h).

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "base/types.h"

namespace sheaf::mpi {

enum class Reduction : std::uint8_t { sum, minimum, maximum };

/// One message of an exchange, to `peer`.
struct Outgoing {
    Rank peer;
    std::span<const std::byte> bytes;
};

/// One message of an exchange, from `peer`; `received` says how long it was.
struct Incoming {
    Rank peer;
    std::span<std::byte> room;
    ByteCount received;
};

/// The ranks that opened a file together.
///
/// Collective calls are made by all ranks in the same order. A failure here is a failure of the
/// message layer itself, after which the communicator is of no more use; operating errors travel
/// inside the messages instead (coord/agreement.h). Thread-confined: one collective at a time.
class Communicator {
public:
    virtual ~Communicator() = default;

    [[nodiscard]] virtual Rank rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;

    /// Collective. `values` are combined element by element; all ranks get the result.
    virtual Status all_reduce(std::span<std::int64_t> values, Reduction reduction) = 0;
    /// Collective. `bytes` of `root` end up on all ranks; equal sizes everywhere.
    virtual Status broadcast(std::span<std::byte> bytes, Rank root) = 0;
    /// Collective. `all` holds size() blocks, each as long as `mine`, in rank order.
    virtual Status all_gather(std::span<const std::byte> mine, std::span<std::byte> all) = 0;
    /// Called by every rank that sends or receives, with matching lists (at most one message per
    /// direction and pair of ranks). Returns when all messages of this rank have moved.
    virtual Status exchange(std::span<const Outgoing> send, std::span<Incoming> receive) = 0;
};

/// Collective. Blocks of differing sizes, in rank order.
Status all_gather_blocks(Communicator& communicator, std::span<const std::byte> mine,
                         std::vector<std::vector<std::byte>>& all);

/// Collective. `text` of `root` ends up on all ranks.
Status broadcast_text(Communicator& communicator, std::string& text, Rank root);

}  // namespace sheaf::mpi
