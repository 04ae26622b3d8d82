// SPDX-License-Identifier: BSD-3-Clause
#include "frameworks/fbtl/vector_transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/assert.h"
#include "platform/descriptor.h"
#include "platform/system_error.h"
#include "trace/ring.h"

namespace sheaf::fbtl {

namespace {

/// A run of pieces that adjoin in the file, as the vectors of one call.
struct Run {
    std::array<iovec, kMostVectors> vectors;
    std::size_t count = 0;
    ByteOffset begin;
    ByteCount length;

    [[nodiscard]] bool takes(const TransferPiece& piece) const {
        return count < kMostVectors && piece.file_offset == begin + length && length < kMostBytes;
    }
    /// Adds as much of the piece as the limit allows; returns how much.
    ByteCount add(const TransferPiece& piece) {
        const ByteCount part = std::min(piece.length, kMostBytes - length);
        vectors[count++] = {piece.memory, static_cast<std::size_t>(part.value)};
        length += part;
        return part;
    }
};

TransferPiece rest_of(const TransferPiece& piece, ByteCount done) {
    return {piece.memory + done.value, piece.length - done, piece.file_offset + done};
}

/// Walks the pieces and hands out runs.
class RunBuilder {
public:
    explicit RunBuilder(std::span<const TransferPiece> pieces) : pieces_(pieces) {}

    [[nodiscard]] bool at_end() const { return pieces_.empty(); }

    void next(Run& run) {
        run.count = 0;
        run.length = {};
        run.begin = front().file_offset;
        while (!pieces_.empty() && run.takes(front())) {
            const ByteCount part = run.add(front());
            done_ += part;
            if (done_ < pieces_.front().length) return;
            pieces_ = pieces_.subspan(1);
            done_ = {};
        }
    }

private:
    [[nodiscard]] TransferPiece front() const { return rest_of(pieces_.front(), done_); }

    std::span<const TransferPiece> pieces_;
    ByteCount done_;
};

/// Drops `moved` bytes from the front of the vectors.
std::span<iovec> drop(std::span<iovec> vectors, std::size_t moved) {
    while (!vectors.empty() && moved >= vectors.front().iov_len) {
        moved -= vectors.front().iov_len;
        vectors = vectors.subspan(1);
    }
    if (moved > 0) {
        SHEAF_ASSERT(!vectors.empty());
        vectors.front().iov_base = static_cast<char*>(vectors.front().iov_base) + moved;
        vectors.front().iov_len -= moved;
    }
    return vectors;
}

Status failure(std::string_view operation, const Run& run, ByteCount done, std::int64_t result) {
    const std::string what = fmt::format("{} of bytes [{}, {})", operation,
                                         (run.begin + done).value, (run.begin + run.length).value);
    if (result == 0) return {Code::no_space, what + ": storage took nothing"};
    return platform::system_failure(static_cast<int>(-result), what);
}

/// Moves one run to its end, or as far as it goes.
Transferred transfer_run(Run& run, std::string_view operation, const VectorCall& call) {
    ByteCount done;
    std::span<iovec> left(run.vectors.data(), run.count);
    while (done < run.length) {
        const std::int64_t result = call(left, run.begin + done);
        if (platform::is_retryable(result)) continue;
        if (result == 0 && operation == "read") return {done, {}};
        if (result <= 0) return {done, failure(operation, run, done, result)};
        done += ByteCount{result};
        SHEAF_ASSERT(done <= run.length);
        left = drop(left, static_cast<std::size_t>(result));
    }
    return {done, {}};
}

}  // namespace

Transferred transfer_pieces(std::span<const TransferPiece> pieces, std::string_view operation,
                            const VectorCall& call) {
    const trace::Event event =
        operation == "read" ? trace::Event::storage_read : trace::Event::storage_write;
    Transferred total;
    RunBuilder runs(pieces);
    Run run;
    while (!runs.at_end()) {
        runs.next(run);
        Transferred moved = transfer_run(run, operation, call);
        trace::record(event, run.begin.value, run.length.value, moved.bytes.value);
        total.bytes += moved.bytes;
        if (!moved.status.ok() || moved.bytes < run.length) {
            total.status = std::move(moved.status);
            break;
        }
    }
    return total;
}

}  // namespace sheaf::fbtl
