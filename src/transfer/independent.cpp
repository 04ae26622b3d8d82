// SPDX-License-Identifier: BSD-3-Clause
#include "transfer/independent.h"

#include <utility>
#include <vector>

#include "base/assert.h"
#include "transfer/sieve.h"
#include "view/cursor.h"
#include "view/zip.h"

namespace sheaf::transfer {

namespace {

// 4096 pieces are 128 KiB: enough to fill vectored calls and sieving buffers several times over.
constexpr std::size_t kBatchPieces = 4096;

/// Pieces that a batch of this request needs room for.
std::size_t batch_pieces(const AccessRequest& request, const view::FileView& view) {
    return request.memory.layout.contiguous() && view.statistics().contiguous ? 1 : kBatchPieces;
}

// A system call on a local file system costs about as much as copying 4 KiB out of the page cache
// (docs/design/transfer.md); a request to a server as much as tens of KiB.
constexpr ByteCount kLocalGap{4096};
constexpr ByteCount kRemoteGap{65536};

SieveLimits sieve_limits(const FileContext& file) {
    const ByteCount buffer{file.hints.number("ind_rd_buffer_size")};
    switch (file.hints.switched("romio_ds_read")) {
        case 1:
            return {buffer, buffer};
        case -1:
            return {{}, {}};
        default:
            return {file.facts.node_local ? kLocalGap : kRemoteGap, buffer};
    }
}

/// Moves all batches of `zip` by `move`, until one comes up short.
template <class Move>
fbtl::Transferred move_batches(view::Zip& zip, std::size_t pieces_at_once, Move move) {
    std::vector<fbtl::TransferPiece> batch(pieces_at_once);
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

}  // namespace

fbtl::Transferred independent(const FileContext& file, const view::FileView& view,
                              const AccessRequest& request) {
    if (!request.precondition.ok()) return {{}, request.precondition};
    auto cursor = view.cursor(request.first, request.memory.layout.size());
    if (!cursor.ok()) return {{}, std::move(cursor).status()};
    view::Zip zip(request.memory.base, view::Cursor(request.memory.layout),
                  std::move(cursor).value());
    const std::size_t room = batch_pieces(request, view);
    if (request.direction == Direction::write) {
        return move_batches(zip, room, [&](auto pieces) { return file.transfer.write(pieces); });
    }
    SievingReader reader(file.transfer, sieve_limits(file));
    return move_batches(zip, room, [&](auto pieces) { return reader.read(pieces); });
}

}  // namespace sheaf::transfer
