// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Data sieving: many small reads become one large one.

#include <cstddef>
#include <span>
#include <vector>

#include "contracts/fbtl.h"

namespace sheaf::transfer {

/// When two pieces are read as one.
struct SieveLimits {
    ByteCount largest_gap;  // Bytes that may be read for nothing between two pieces.
    ByteCount buffer;       // Largest read.
};

/// Reads pieces through a buffer wherever neighbours lie close together. Thread-confined.
class SievingReader {
public:
    SievingReader(fbtl::ByteTransfer& transfer, SieveLimits limits);

    /// As ByteTransfer::read(), for pieces in ascending file order.
    fbtl::Transferred read(std::span<const fbtl::TransferPiece> pieces);

private:
    fbtl::Transferred read_group(std::span<const fbtl::TransferPiece> group);

    fbtl::ByteTransfer& transfer_;
    SieveLimits limits_;
    std::vector<std::byte> buffer_;
};

}  // namespace sheaf::transfer
