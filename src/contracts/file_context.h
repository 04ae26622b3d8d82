// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// FileContext: what a component may see of the file it serves.

#include <string>

#include "contracts/fbtl.h"
#include "contracts/fs.h"
#include "hints/hint_set.h"
#include "mpi/communicator.h"

namespace sheaf {

/// One open file as its components see it: never the File object itself. The references stay valid
/// until the file is closed. Thread-compatible.
struct FileContext {
    mpi::Communicator& communicator;  // All ranks of the open.
    const std::string& path;
    const hints::HintSet& hints;
    const fs::Facts& facts;
    fbtl::ByteTransfer& transfer;
    int ranks_here = 1;  // Ranks of the open on this node.
    int cores_here = 1;  // Cores they share.
};

}  // namespace sheaf
