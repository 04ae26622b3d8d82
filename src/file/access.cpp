// SPDX-License-Identifier: BSD-3-Clause

/// Reading, writing, the individual pointer, and the calls on the file as a whole.

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "base/assert.h"
#include "coord/agreement.h"
#include "file/file.h"
#include "trace/ring.h"
#include "transfer/independent.h"

namespace sheaf {

Status File::permitted(Direction direction) const {
    if (mode_.has(AccessMode::sequential)) {
        return {Code::unsupported_operation,
                "access by offset or individual pointer in a file opened MPI_MODE_SEQUENTIAL"};
    }
    if (direction == Direction::read && !mode_.reads())
        return {Code::access, "read from a file opened MPI_MODE_WRONLY"};
    if (direction == Direction::write && !mode_.writes())
        return {Code::read_only, "write to a file opened MPI_MODE_RDONLY"};
    return {};
}

Result<EtypeCount> File::etypes_of(const Memory& memory) const {
    const std::int64_t etype = view().etype_size().value;
    const std::int64_t bytes = memory.layout.size().value;
    SHEAF_ASSERT(etype > 0);
    if (bytes % etype == 0) return EtypeCount{bytes / etype};
    return Status{
        Code::io,
        fmt::format("{} bytes of data are no whole number of etypes of {} bytes", bytes, etype)};
}

Result<EtypeOffset> File::claim_position(const AccessCall& call, EtypeCount count) {
    if (call.positioning == Positioning::individual) {
        return EtypeOffset{position_.fetch_add(count.value, std::memory_order_relaxed)};
    }
    if (call.offset.value < 0) return Status{Code::argument, "the offset is negative"};
    return call.offset;
}

AccessRequest File::request_for(const AccessCall& call, const Memory& memory, Status precondition) {
    AccessRequest request{call.direction, memory, {}, std::move(precondition)};
    request.precondition.update(permitted(call.direction));
    if (!request.precondition.ok()) return request;
    const auto count = etypes_of(memory);
    const auto position =
        count.ok() ? claim_position(call, *count) : Result<EtypeOffset>(count.status());
    const auto first =
        position.ok() ? view().data_position(*position) : Result<ByteCount>(position.status());
    if (first.ok())
        request.first = *first;
    else
        request.precondition = first.status();
    return request;
}

fbtl::Transferred File::access(const AccessCall& call, const Memory& memory, Status precondition) {
    const AccessRequest request = request_for(call, memory, std::move(precondition));
    const int kind = (call.direction == Direction::write ? 1 : 0) + (call.collective ? 2 : 0);
    trace::record(trace::Event::access_enter, kind, request.first.value,
                  memory.layout.size().value);
    fbtl::Transferred moved = call.collective ? collective_access(call.direction).transfer(request)
                                              : transfer::independent(*context_, view(), request);
    SHEAF_ASSERT(moved.bytes.value >= 0 && moved.bytes <= memory.layout.size());
    trace::record(trace::Event::access_leave, moved.bytes.value,
                  static_cast<std::int64_t>(moved.status.code()));
    moved.status = in_context(std::move(moved.status));
    return moved;
}

Result<ByteOffset> File::byte_offset(EtypeOffset offset) const {
    auto result = view().byte_offset(offset);
    if (!result.ok()) return in_context(std::move(result).status());
    return result;
}

Status File::seek(EtypeOffset offset, Whence whence) {
    if (mode_.has(AccessMode::sequential))
        return in_context(
            {Code::unsupported_operation, "seek in a file opened MPI_MODE_SEQUENTIAL"});
    std::int64_t base = 0;
    if (whence == Whence::current) base = position_.load(std::memory_order_relaxed);
    if (whence == Whence::end) {
        const auto size = storage_->size();
        if (!size.ok()) return in_context(size.status());
        base = view().end_position(*size).value;
    }
    std::int64_t target = 0;
    if (__builtin_add_overflow(base, offset.value, &target) || target < 0) {
        return in_context(
            {Code::argument, fmt::format("seek to before the beginning of the view ({} + {})", base,
                                         offset.value)});
    }
    position_.store(target, std::memory_order_relaxed);
    return {};
}

Result<ByteCount> File::size() {
    auto size = storage_->size();
    if (!size.ok()) return in_context(std::move(size).status());
    return size;
}

Status File::set_size(ByteCount size, Status precondition) {
    if (size.value < 0) precondition.update({Code::argument, "set_size: the size is negative"});
    if (!mode_.writes())
        precondition.update({Code::read_only, "set_size of a file opened MPI_MODE_RDONLY"});
    Status status = coord::agree_same(*communicator_, std::move(precondition),
                                      {{{"the size", size.value}}}, Code::not_same);
    if (!status.ok()) return in_context(std::move(status));
    if (communicator_->rank() == Rank{0}) status = storage_->resize(size);
    return in_context(coord::agree(*communicator_, std::move(status)));
}

Status File::preallocate(ByteCount size, Status precondition) {
    if (size.value < 0) precondition.update({Code::argument, "preallocate: the size is negative"});
    if (!mode_.writes())
        precondition.update({Code::read_only, "preallocate of a file opened MPI_MODE_RDONLY"});
    Status status = coord::agree_same(*communicator_, std::move(precondition),
                                      {{{"the size", size.value}}}, Code::not_same);
    if (!status.ok()) return in_context(std::move(status));
    if (communicator_->rank() == Rank{0}) status = storage_->preallocate(size);
    return in_context(coord::agree(*communicator_, std::move(status)));
}

Status File::sync() {
    SHEAF_ASSERT(storage_ != nullptr);
    return in_context(coord::agree(*communicator_, storage_->sync()));
}

}  // namespace sheaf
