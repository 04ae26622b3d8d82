// SPDX-License-Identifier: BSD-3-Clause
#include "frameworks/fcoll/piece_rule.h"

#include <fmt/format.h>

#include "base/assert.h"

namespace sheaf::fcoll {

Bid direct_access_bid(const Candidate& candidate) {
    const ViewSummary& summary = candidate.summary;
    const bool reads = candidate.direction == Direction::read;
    const std::string_view hint = reads ? "romio_cb_read" : "romio_cb_write";
    const int buffering = candidate.file.hints.switched(hint);
    if (buffering != 0) return {buffering > 0 ? 10 : 90, fmt::format("hint {}", hint)};
    SHEAF_ASSERT(summary.smallest_mean_piece.value >= 0);
    if (summary.contiguous) return {60, "contiguous views"};
    const std::int64_t piece = summary.smallest_mean_piece.value;
    if (!candidate.file.facts.node_local) {
        return {20, fmt::format("pieces of {} bytes over a network: a request each", piece)};
    }
    if (piece == 0 || summary.smallest_mean_piece >= kDirectPiece) {
        return {
            60,
            fmt::format(
                "pieces of {} bytes on node-local storage: a call each costs less than exchange",
                piece)};
    }
    return {20, fmt::format("pieces of {} bytes: a call each costs more than exchange", piece)};
}

}  // namespace sheaf::fcoll
