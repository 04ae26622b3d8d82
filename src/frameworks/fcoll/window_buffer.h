// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The access phase of two-phase I/O: an aggregator's buffer over one window of the file.

#include <cstddef>
#include <span>
#include <vector>

#include "contracts/file_context.h"
#include "frameworks/fcoll/coverage.h"
#include "view/cursor.h"

namespace sheaf::fcoll {

/// One aggregator's bytes of one window, between exchange and storage. Thread-confined.
class WindowBuffer {
public:
    explicit WindowBuffer(const FileContext& file) : file_(file) {}

    /// Starts on a window in which `coverage` is wanted.
    void start(const Coverage& coverage);

    /// Where the byte at `offset` of the file stands. Requires: inside the coverage's bounds.
    [[nodiscard]] std::byte* at(ByteOffset offset);

    /// Reads everything covered (and small gaps between). After end of file or a failure the valid
    /// bytes are those before valid_end().
    Status fill(const Coverage& coverage);
    [[nodiscard]] ByteOffset valid_end() const { return valid_end_; }

    /// Before data are put in: reads the holes back if the window will be written in one piece.
    Status prepare_write(const Coverage& coverage);
    /// Writes everything covered: in one piece when the holes were read back, else run by run.
    Status write(const Coverage& coverage);

private:
    [[nodiscard]] bool writes_in_one_piece(const Coverage& coverage) const;
    [[nodiscard]] std::vector<fbtl::TransferPiece> pieces_of(std::span<const ByteRange> runs);

    const FileContext& file_;
    ByteOffset begin_;
    ByteOffset valid_end_;
    std::vector<std::byte> bytes_;
};

}  // namespace sheaf::fcoll
