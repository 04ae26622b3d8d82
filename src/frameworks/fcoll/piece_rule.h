// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The rule of thumb between going straight to the file and exchanging first.

#include "contracts/fcoll.h"

namespace sheaf::fcoll {

/// From this mean piece on, a call per piece on node-local storage beats moving the data twice.
inline constexpr ByteCount kDirectPiece{4096};

/// The bid of algorithms in which every rank goes to the file itself: high on node-local storage
/// when no rank's pieces are small, low otherwise.
[[nodiscard]] Bid direct_access_bid(const Candidate& candidate);

}  // namespace sheaf::fcoll
