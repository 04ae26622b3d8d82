// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Bids: what a component says when asked whether it can serve.

#include <optional>
#include <string>

namespace sheaf {

/// What one rank's component says when asked "can you serve this, and how well?".
///
/// Made from facts, locally, without side effects: asking twice changes nothing. The selector
/// (frameworks/selector.h) reduces the bids over all ranks, so that all choose the same component.
struct Bid {
    std::optional<int> priority;  // 0..100, higher is better. Empty: cannot serve.
    std::string reason;           // Always given; `sheaf info --why` prints it.
};

}  // namespace sheaf
