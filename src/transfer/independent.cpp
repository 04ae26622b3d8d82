// SPDX-License-Identifier: BSD-3-Clause
#include "transfer/independent.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "transfer/sieve.h"
#include "view/cursor.h"
#include "view/pack.h"
#include "view/zip.h"

namespace sheaf::transfer {

namespace {

// 4096 pieces are 96 KiB: enough to fill vectored calls and sieving buffers several times over.
constexpr std::size_t kBatchPieces = 4096;

// A system call on a local file system costs about as much as copying 4 KiB out of the page cache
// (docs/design/transfer.md); a request to a server as much as tens of KiB.
constexpr ByteCount kLocalGap{4096};
constexpr ByteCount kRemoteGap{65536};

// What is read from the page cache for others to copy from should still be in the core's own cache.
constexpr ByteCount kLocalBuffer{512 * 1024};

SieveLimits sieve_limits(const FileContext& file) {
    const ByteCount buffer{file.hints.number("ind_rd_buffer_size")};
    switch (file.hints.switched("romio_ds_read")) {
        case 1:
            return {buffer, buffer};
        case -1:
            return {{}, {}};
        default:
            if (file.facts.node_local) return {kLocalGap, std::min(buffer, kLocalBuffer)};
            return {kRemoteGap, buffer};
    }
}

/// Moves all batches of `zip` by `move`, until one comes up short.
template <class Move>
fbtl::Transferred move_batches(view::Zip& zip, Move move) {
    std::vector<fbtl::TransferPiece> batch(kBatchPieces);
    fbtl::Transferred total;
    while (const std::size_t count = zip.next(batch)) {
        const std::span pieces(batch.data(), count);
        ByteCount wanted;
        for (const auto& piece : pieces) wanted += piece.length;
        fbtl::Transferred moved = move(pieces);
        SHEAF_ASSERT(moved.bytes <= wanted);
        total.bytes += moved.bytes;
        if (!moved.status.ok() || moved.bytes < wanted) {
            total.status = std::move(moved.status);
            return total;
        }
    }
    return total;
}

/// A request that is one piece in memory and in the file: the common case, without cursors.
fbtl::Transferred move_one_piece(const FileContext& file, const view::FileView& view,
                                 const AccessRequest& request) {
    const Memory& memory = request.memory;
    if (memory.layout.empty()) return {{}, {}};
    const fbtl::TransferPiece piece{view::address(memory.base, memory.layout.origin()),
                                    memory.layout.size(), view.tiles().origin() + request.first};
    if (request.direction == Direction::write) return file.transfer.write({&piece, 1});
    return file.transfer.read({&piece, 1});
}

}  // namespace

fbtl::Transferred independent(const FileContext& file, const view::FileView& view,
                              const AccessRequest& request) {
    if (!request.precondition.ok()) return {{}, request.precondition};
    const ByteCount size = request.memory.layout.size();
    const bool visible = size <= view.visible() - request.first;
    if (visible && request.memory.layout.contiguous() && view.tiles().contiguous()) {
        return move_one_piece(file, view, request);
    }
    auto cursor = view.cursor(request.first, size);
    if (!cursor.ok()) return {{}, std::move(cursor).status()};
    view::Zip zip(request.memory.base, view::Cursor(request.memory.layout),
                  std::move(cursor).value());
    if (request.direction == Direction::write) {
        return move_batches(zip, [&](auto pieces) { return file.transfer.write(pieces); });
    }
    SievingReader reader(file.transfer, sieve_limits(file));
    return move_batches(zip, [&](auto pieces) { return reader.read(pieces); });
}

}  // namespace sheaf::transfer
