// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Framework `fbtl`: byte transfer between memory and one open file.
///
/// A component moves lists of pieces. Which pieces, in which order, and under which lock, is
/// decided above it: by transfer/ for independent access, by fcoll for collective access.

#include <memory>
#include <span>
#include <string_view>

#include "base/result.h"
#include "base/types.h"
#include "contracts/bid.h"
#include "contracts/fs.h"
#include "view/zip.h"

namespace sheaf::fbtl {

using view::TransferPiece;

/// How far a transfer came. Bytes are counted over the pieces in list order: `bytes` tells which
/// prefix of the list has moved, also when `status` is a failure.
struct Transferred {
    ByteCount bytes;
    Status status;
};

/// Moves pieces between memory and a file.
///
/// Pieces of one call are in ascending file order as far as the caller's view is; they may adjoin
/// and, in reads, overlap. No piece is empty. Short system transfers, interruptions and system
/// limits on one call are the component's business. Calls block, make no MPI call, and hold no lock
/// while the system works. Thread-safe.
class ByteTransfer {
public:
    virtual ~ByteTransfer() = default;

    /// Fills the pieces from the file. Fewer bytes than asked with an OK status means that the end
    /// of file was met; memory behind the transferred prefix may hold anything that the file held,
    /// but no byte outside the pieces is touched.
    virtual Transferred read(std::span<const TransferPiece> pieces) = 0;

    /// Writes the pieces to the file. On OK all bytes have been handed to storage.
    virtual Transferred write(std::span<const TransferPiece> pieces) = 0;
};

/// One row of the table of components.
struct Component {
    std::string_view name;     // "posix": a value of hint sheaf_fbtl.
    std::string_view summary;  // One line, for `sheaf info`.
    Bid (*bid)(const fs::OpenFile* const& file);
    /// `file` outlives what is made.
    std::unique_ptr<ByteTransfer> (*make)(fs::OpenFile& file);
};

}  // namespace sheaf::fbtl
