// SPDX-License-Identifier: BSD-3-Clause
#include "transfer/sieve.h"

#include <algorithm>
#include <cstring>

#include "base/assert.h"

namespace sheaf::transfer {

namespace {

ByteOffset end_of(const fbtl::TransferPiece& piece) {
    return piece.file_offset + piece.length;
}

// Vectors this long cost a system call less than copying them once more.
constexpr ByteCount kLongVector{512};

/// Whether reading `group` through a buffer saves anything: pieces that adjoin in the file and are
/// not tiny are as well read as the vectors of one call.
bool worth_sieving(std::span<const fbtl::TransferPiece> group, ByteCount wanted) {
    if (group.size() == 1) return false;
    const ByteCount span = end_of(group.back()) - group.front().file_offset;
    return span > wanted || wanted.value < kLongVector.value * std::ssize(group);
}

/// How many pieces from the first on can be read at once.
std::size_t group_length(std::span<const fbtl::TransferPiece> pieces, const SieveLimits& limits) {
    const ByteOffset begin = pieces.front().file_offset;
    ByteOffset end = end_of(pieces.front());
    std::size_t length = 1;
    while (length < pieces.size()) {
        const fbtl::TransferPiece& next = pieces[length];
        const ByteOffset new_end = std::max(end, end_of(next));
        if (next.file_offset < begin || next.file_offset - end > limits.largest_gap ||
            new_end - begin > limits.buffer) {
            break;
        }
        end = new_end;
        ++length;
    }
    return length;
}

}  // namespace

SievingReader::SievingReader(fbtl::ByteTransfer& transfer, SieveLimits limits)
    : transfer_(transfer), limits_(limits) {
    SHEAF_ASSERT(limits.largest_gap.value >= 0 && limits.buffer.value >= 0);
}

fbtl::Transferred SievingReader::read(std::span<const fbtl::TransferPiece> pieces) {
    fbtl::Transferred total;
    while (!pieces.empty()) {
        const auto group = pieces.first(group_length(pieces, limits_));
        ByteCount wanted;
        for (const auto& piece : group) wanted += piece.length;
        const fbtl::Transferred moved =
            worth_sieving(group, wanted) ? read_group(group) : transfer_.read(group);
        total.bytes += moved.bytes;
        if (!moved.status.ok() || moved.bytes < wanted) {
            total.status = moved.status;
            return total;
        }
        pieces = pieces.subspan(group.size());
    }
    return total;
}

fbtl::Transferred SievingReader::read_group(std::span<const fbtl::TransferPiece> group) {
    const ByteOffset begin = group.front().file_offset;
    ByteOffset end = begin;
    for (const auto& piece : group) end = std::max(end, end_of(piece));
    if (std::ssize(buffer_) < (end - begin).value)
        buffer_.resize(static_cast<std::size_t>((end - begin).value));
    const fbtl::TransferPiece whole{buffer_.data(), end - begin, begin};
    const fbtl::Transferred filled = transfer_.read({&whole, 1});
    const ByteOffset valid_end = begin + filled.bytes;
    fbtl::Transferred moved{{}, filled.status};
    for (const auto& piece : group) {
        const ByteCount have =
            intersect({piece.file_offset, end_of(piece)}, {begin, valid_end}).size();
        if (have.value > 0) {
            std::memcpy(piece.memory, buffer_.data() + (piece.file_offset - begin).value,
                        static_cast<std::size_t>(have.value));
        }
        moved.bytes += have;
        if (have < piece.length) break;
    }
    return moved;
}

}  // namespace sheaf::transfer
