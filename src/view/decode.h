// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// decode(): from an MPI datatype to a layout. Compiled per ABI; for abi/ only.

#include <mpi.h>

#include "base/result.h"
#include "base/types.h"
#include "view/layout.h"

namespace sheaf::view {

/// What a datatype names, with the bounds that matter when it is repeated.
struct Decoded {
    Layout layout;
    ByteOffset lower_bound;
    std::int64_t extent = 0;  // Bytes from one instance to the next; may be negative.

    /// `count` instances one after the other, as a buffer of that count and type.
    [[nodiscard]] Result<Layout> repeated(std::int64_t count) const {
        return strided(count, extent, layout);
    }
};

/// Reads a datatype by its envelope and contents, to any depth. Local; makes PMPI calls only and
/// keeps nothing of the handle. Fails with Code::datatype for MPI_DATATYPE_NULL and for combiners
/// it does not know, with Code::overflow for sizes beyond 63 bits.
[[nodiscard]] Result<Decoded> decode(MPI_Datatype type);

}  // namespace sheaf::view
