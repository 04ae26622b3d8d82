// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Agreement: what ranks decide together. A rank on which something failed keeps marching to the
/// next agreement; none returns between two collectives.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/status.h"
#include "mpi/communicator.h"

namespace sheaf::coord {

/// How texts name a rank of this process: "rank 3 (host)".
[[nodiscard]] std::string name_of(Rank rank);

/// Collective. OK on all ranks when `mine` was OK on all. Otherwise a rank that failed gets its own
/// failure back, and every other rank the code of the lowest failing rank with a text that names
/// that rank and says how many more failed.
///
/// `minima`, as long on every rank, ride along in the same reduction: each becomes its minimum over
/// all ranks. Cost: one reduction; two more steps only after a failure.
Status agree(mpi::Communicator& communicator, Status mine, std::span<std::int64_t> minima = {});

/// One value that ought to be the same on all ranks.
struct Same {
    std::string_view what;  // "amode": for the text.
    std::int64_t value;
};

/// Collective. Fails on all ranks, with `code` and a text naming the first value that differs, its
/// minimum and its maximum; like agree() it also carries `mine`. One reduction.
Status agree_same(mpi::Communicator& communicator, Status mine, std::span<const Same> values,
                  Code code);

}  // namespace sheaf::coord
