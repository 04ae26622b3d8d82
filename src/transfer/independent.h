// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Independent access: one rank's request, moved piece by piece or through a sieving buffer.

#include "contracts/fcoll.h"
#include "contracts/file_context.h"
#include "view/file_view.h"

namespace sheaf::transfer {

/// Moves `request.memory` to or from its place in `view`. Independent; takes no lock.
///
/// Pieces are zipped from the two layouts in bounded batches and coalesced where memory and file go
/// on together. Reads with small gaps between pieces go through a buffer of at most
/// `ind_rd_buffer_size` bytes (data sieving, hint `romio_ds_read`); writes never do. Returns how
/// many data bytes moved: exact at end of file, and a prefix of the request in view order.
/// A failed precondition is returned as it is. Thread-safe.
fbtl::Transferred independent(const FileContext& file, const view::FileView& view,
                              const AccessRequest& request);

}  // namespace sheaf::transfer
