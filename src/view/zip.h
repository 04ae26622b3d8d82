// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Zip: memory pieces beside the file pieces they go to.

#include <cstddef>
#include <span>

#include "base/types.h"
#include "view/cursor.h"

namespace sheaf::view {

/// `length` bytes at `memory` belong at `file_offset`.
struct TransferPiece {
    std::byte* memory = nullptr;
    ByteCount length;
    ByteOffset file_offset;
    friend constexpr bool operator==(const TransferPiece&, const TransferPiece&) = default;
};

/// Pairs the data of a memory layout with the data of a file layout, batch by batch: neither list
/// ever exists as a whole. Pieces that go on in memory and in the file at once are one piece, also
/// across a former batch's end only if they are produced in one call. Thread-confined.
class Zip {
public:
    /// Ends where the shorter of the two cursors ends. `base` is what the memory layout's offsets
    /// count from; null (MPI_BOTTOM) when they are addresses.
    Zip(std::byte* base, Cursor memory, Cursor file);

    /// Fills `batch` from its beginning; returns how many pieces, 0 only at the end (or when
    /// `batch` is empty).
    [[nodiscard]] std::size_t next(std::span<TransferPiece> batch);

    [[nodiscard]] bool at_end() const { return memory_.at_end() || file_.at_end(); }
    /// Bytes handed out and not yet handed out.
    [[nodiscard]] ByteCount remaining() const {
        return std::min(memory_.remaining(), file_.remaining());
    }

private:
    std::byte* base_;
    Cursor memory_;
    Cursor file_;
};

}  // namespace sheaf::view
