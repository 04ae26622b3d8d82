// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Communicator over the host MPI. Compiled per ABI.

#include <mpi.h>

#include <memory>

#include "base/result.h"
#include "mpi/communicator.h"

namespace sheaf::mpi {

/// A communicator of our own with the ranks of another one. It carries no attributes or info of the
/// user's, runs no callbacks, and returns errors. Freed with the object, collectively.
class HostCommunicator final : public Communicator {
public:
    /// Collective over `parent`, an intracommunicator.
    static Result<std::unique_ptr<HostCommunicator>> create(MPI_Comm parent);
    ~HostCommunicator() override;
    HostCommunicator(const HostCommunicator&) = delete;
    HostCommunicator& operator=(const HostCommunicator&) = delete;

    [[nodiscard]] Rank rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return size_; }
    Status all_reduce(std::span<std::int64_t> values, Reduction reduction) override;
    Status broadcast(std::span<std::byte> bytes, Rank root) override;
    Status all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override;
    Status exchange(std::span<const Outgoing> send, std::span<Incoming> receive) override;

    /// The host's handle, for MPI_Abort.
    [[nodiscard]] MPI_Comm native() const { return own_; }
    /// For MPI_File_get_group. The caller frees it.
    Result<MPI_Group> group() const;

private:
    explicit HostCommunicator(MPI_Comm own);

    MPI_Comm own_;
    Rank rank_;
    int size_ = 1;
    std::vector<MPI_Request> requests_;
    std::vector<MPI_Status> statuses_;
};

/// A failed Status with the host's words for `code`; OK for MPI_SUCCESS.
Status check(int code, const char* call);

}  // namespace sheaf::mpi
