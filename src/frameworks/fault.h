// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Wrapper `fault`: makes a storage call fail on purpose (SHEAF_FAULT), for tests of error paths.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/types.h"
#include "contracts/fbtl.h"
#include "contracts/fs.h"

namespace sheaf {

/// One fault: the `nth` use of `call` on `rank` fails with `error`.
struct Fault {
    std::string call;          // size, resize, preallocate, sync, close, read, write.
    int error = 0;             // errno value.
    std::optional<Rank> rank;  // Rank in the file's communicator; empty = every rank.
    std::int64_t nth = 1;      // Counted per open file from 1; 0 = every time.
};

/// Reads "write:ENOSPC@rank=3,nth=5;sync:EIO". Fails with Code::argument, saying what is accepted.
Result<std::vector<Fault>> parse_faults(std::string_view text);

namespace fs {
/// `file` itself when SHEAF_FAULT does not concern it on this rank; else wrapped.
std::unique_ptr<OpenFile> with_faults(std::unique_ptr<OpenFile> file, Rank rank);
}  // namespace fs

namespace fbtl {
/// Likewise for transfers.
std::unique_ptr<ByteTransfer> with_faults(std::unique_ptr<ByteTransfer> transfer, Rank rank);
}  // namespace fbtl

}  // namespace sheaf
