// SPDX-License-Identifier: BSD-3-Clause
#include "support/byte_store.h"

#include <algorithm>

#include "base/assert.h"

namespace sheaf::testing {

ByteCount ByteStore::read(ByteOffset at, std::span<std::byte> out) {
    const std::scoped_lock lock(mutex_);
    const std::int64_t there = std::max<std::int64_t>(0, std::ssize(bytes_) - at.value);
    const std::int64_t count = std::min<std::int64_t>(there, std::ssize(out));
    std::copy_n(bytes_.begin() + (count > 0 ? at.value : 0), count, out.begin());
    return {count};
}

void ByteStore::write(ByteOffset at, std::span<const std::byte> in) {
    const std::scoped_lock lock(mutex_);
    const auto end = static_cast<std::size_t>(at.value) + in.size();
    if (bytes_.size() < end) {
        bytes_.resize(end);
        written_.resize(end);
    }
    std::ranges::copy(in, bytes_.begin() + at.value);
    std::fill_n(written_.begin() + at.value, in.size(), true);
}

Bytes ByteStore::bytes() const {
    const std::scoped_lock lock(mutex_);
    return bytes_;
}

std::vector<bool> ByteStore::written() const {
    const std::scoped_lock lock(mutex_);
    return written_;
}

void StoreTransfer::note(std::span<const fbtl::TransferPiece> pieces) {
    for (const fbtl::TransferPiece& piece : pieces) {
        SHEAF_ASSERT(piece.length.value > 0 && piece.file_offset.value >= 0);
        asked_.push_back({piece.file_offset, piece.file_offset + piece.length});
    }
}

Status StoreTransfer::due(Direction direction, std::int64_t use) {
    if (!trouble_ || trouble_->direction != direction || trouble_->nth != use) return {};
    fired_ = true;
    return trouble_->failure;
}

fbtl::Transferred StoreTransfer::read(std::span<const fbtl::TransferPiece> pieces) {
    if (Status failure = due(Direction::read, ++reads_); !failure.ok()) return {{}, failure};
    note(pieces);
    ByteCount total;
    for (const fbtl::TransferPiece& piece : pieces) {
        const ByteCount moved = store_.read(
            piece.file_offset, {piece.memory, static_cast<std::size_t>(piece.length.value)});
        total += moved;
        if (moved < piece.length) break;
    }
    return {total, {}};
}

fbtl::Transferred StoreTransfer::write(std::span<const fbtl::TransferPiece> pieces) {
    if (Status failure = due(Direction::write, ++writes_); !failure.ok()) return {{}, failure};
    note(pieces);
    ByteCount total;
    for (const fbtl::TransferPiece& piece : pieces) {
        store_.write(piece.file_offset,
                     {piece.memory, static_cast<std::size_t>(piece.length.value)});
        total += piece.length;
    }
    return {total, {}};
}

}  // namespace sheaf::testing
