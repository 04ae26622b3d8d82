// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Framework `fcoll`: algorithms of collective access.
///
/// A component gets, on every rank, that rank's part of a collective call and moves it. It is
/// chosen per view: set_view is collective and knows the shape, so that the choice costs nothing at
/// the calls themselves.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/types.h"
#include "contracts/bid.h"
#include "contracts/file_context.h"
#include "view/file_view.h"
#include "view/layout.h"

namespace sheaf {

enum class Direction : std::uint8_t { read, write };

/// A user's buffer: `layout` says which bytes from `base` on, in typemap order. A null base with
/// absolute offsets is MPI_BOTTOM.
struct Memory {
    std::byte* base = nullptr;
    view::Layout layout;
};

/// One rank's part of an access: `memory.layout.size()` data bytes of `view` from data position
/// `first` on. `precondition` is a failure when this rank's arguments were not valid: then it takes
/// part in the call with no data at all and gets that failure back.
struct AccessRequest {
    Direction direction = Direction::read;
    Memory memory;
    ByteCount first;
    Status precondition;
};

namespace fcoll {

/// What all ranks know of all views together, reduced at set_view.
struct ViewSummary {
    bool contiguous = true;  // On every rank.
    ByteCount
        smallest_mean_piece;  // The least mean piece of any rank; 0 when a view shows nothing.
    double largest_hole_ratio = 0;
};

/// Moves the parts of all ranks of a collective call.
///
/// Needs the FileContext and the view that it was made for. Agreement points: the end of every
/// transfer() (status, end of file); further ones as the component documents. Ranks whose call
/// failed keep taking part with empty ranges until then. Thread-confined: one call at a time.
class CollectiveAccess {
public:
    virtual ~CollectiveAccess() = default;

    /// Collective; direction is the same on all ranks, everything else may differ. Returns the data
    /// bytes that this rank's request moved (exact at end of file) and the agreed status: OK on all
    /// ranks or on none.
    virtual fbtl::Transferred transfer(const AccessRequest& request) = 0;
};

/// What a component is asked to bid on. All of it is agreed by the ranks of the open, so bids are
/// equal on all ranks without a reduction, and a bid may look at nothing else.
struct Candidate {
    const FileContext& file;
    const ViewSummary& summary;
    Direction direction = Direction::read;
};

/// One row of the table of components.
struct Component {
    std::string_view name;     // "two_phase": a value of hint sheaf_fcoll.
    std::string_view summary;  // One line, for `sheaf info`.
    Bid (*bid)(const Candidate& candidate);
    /// Local. `file` and `view` outlive what is made.
    std::unique_ptr<CollectiveAccess> (*make)(const FileContext& file, const view::FileView& view);
};

}  // namespace fcoll
}  // namespace sheaf
