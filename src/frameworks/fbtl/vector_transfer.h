// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// From pieces to vectored system calls: coalescing, limits, short transfers, interruptions.

#include <sys/uio.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "contracts/fbtl.h"

namespace sheaf::fbtl {

/// One vectored transfer at a place in the file: bytes moved, 0 at end of file, or -errno.
using VectorCall = std::function<std::int64_t(std::span<const iovec> memory, ByteOffset at)>;

/// Pieces of one system call at most (IOV_MAX of Linux).
inline constexpr std::size_t kMostVectors = 1024;
/// Bytes of one system call at most: what Linux moves at once, rounded down to 1 MiB.
inline constexpr ByteCount kMostBytes{0x7ff00000};

/// Moves `pieces` in list order. Neighbours that adjoin in the file share one call; transfers that
/// come back short go on where they stopped; EINTR is repeated. A call that moves nothing ends the
/// transfer: the end of file for `operation` "read", a failure (no space) for others. The failure's
/// text names the operation and its byte range.
Transferred transfer_pieces(std::span<const TransferPiece> pieces, std::string_view operation,
                            const VectorCall& call);

}  // namespace sheaf::fbtl
