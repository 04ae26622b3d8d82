// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/host_communicator.h"

#include <array>
#include <limits>

#include "base/assert.h"
#include "mpi/host_library.h"

namespace sheaf::mpi {

namespace {

constexpr int kExchangeTag = 1;

int length_of(std::size_t bytes) {
    SHEAF_ASSERT(bytes <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
    return static_cast<int>(bytes);
}

MPI_Op operation_of(Reduction reduction) {
    switch (reduction) {
        case Reduction::sum:
            return MPI_SUM;
        case Reduction::minimum:
            return MPI_MIN;
        case Reduction::maximum:
            return MPI_MAX;
    }
    return MPI_OP_NULL;
}

}  // namespace

Status check(int code, const char* call) {
    if (code == MPI_SUCCESS) return {};
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    // Ours is interposed and would not know this code's text.
    host(&PMPI_Error_string, "PMPI_Error_string")(code, text.data(), &length);
    return {Code::internal, std::string(call) + ": " + text.data()};
}

Result<std::unique_ptr<HostCommunicator>> HostCommunicator::create(MPI_Comm parent) {
    MPI_Group group = MPI_GROUP_NULL;
    SHEAF_CHECK(check(PMPI_Comm_group(parent, &group), "MPI_Comm_group"));
    MPI_Comm own = MPI_COMM_NULL;
    const Status created = check(PMPI_Comm_create(parent, group, &own), "MPI_Comm_create");
    PMPI_Group_free(&group);
    SHEAF_CHECK(created);
    PMPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    return std::unique_ptr<HostCommunicator>(new HostCommunicator(own));
}

HostCommunicator::HostCommunicator(MPI_Comm own) : own_(own) {
    SHEAF_ASSERT(own != MPI_COMM_NULL);
    PMPI_Comm_rank(own_, &rank_.value);
    PMPI_Comm_size(own_, &size_);
}

HostCommunicator::~HostCommunicator() {
    int finalized = 0;
    PMPI_Finalized(&finalized);
    if (finalized == 0) PMPI_Comm_free(&own_);
}

Status HostCommunicator::all_reduce(std::span<std::int64_t> values, Reduction reduction) {
    return check(PMPI_Allreduce(MPI_IN_PLACE, values.data(), length_of(values.size()), MPI_INT64_T,
                                operation_of(reduction), own_),
                 "MPI_Allreduce");
}

Status HostCommunicator::broadcast(std::span<std::byte> bytes, Rank root) {
    return check(PMPI_Bcast(bytes.data(), length_of(bytes.size()), MPI_BYTE, root.value, own_),
                 "MPI_Bcast");
}

Status HostCommunicator::all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
    SHEAF_ASSERT(all.size() == mine.size() * static_cast<std::size_t>(size_));
    const int length = length_of(mine.size());
    return check(PMPI_Allgather(mine.data(), length, MPI_BYTE, all.data(), length, MPI_BYTE, own_),
                 "MPI_Allgather");
}

Status HostCommunicator::exchange(std::span<const Outgoing> send, std::span<Incoming> receive) {
    requests_.assign(send.size() + receive.size(), MPI_REQUEST_NULL);
    statuses_.resize(requests_.size());
    std::size_t posted = 0;
    Status status;
    for (Incoming& message : receive) {
        status.update(
            check(PMPI_Irecv(message.room.data(), length_of(message.room.size()), MPI_BYTE,
                             message.peer.value, kExchangeTag, own_, &requests_[posted++]),
                  "MPI_Irecv"));
    }
    for (const Outgoing& message : send) {
        status.update(
            check(PMPI_Isend(message.bytes.data(), length_of(message.bytes.size()), MPI_BYTE,
                             message.peer.value, kExchangeTag, own_, &requests_[posted++]),
                  "MPI_Isend"));
    }
    const auto wait_all = host(&PMPI_Waitall, "PMPI_Waitall");
    status.update(
        check(wait_all(length_of(posted), requests_.data(), statuses_.data()), "MPI_Waitall"));
    for (std::size_t i = 0; i < receive.size() && status.ok(); ++i) {
        int count = 0;
        PMPI_Get_count(&statuses_[i], MPI_BYTE, &count);
        receive[i].received = ByteCount{count};
    }
    return status;
}

Result<MPI_Group> HostCommunicator::group() const {
    MPI_Group group = MPI_GROUP_NULL;
    SHEAF_CHECK(check(PMPI_Comm_group(own_, &group), "MPI_Comm_group"));
    return group;
}

}  // namespace sheaf::mpi
