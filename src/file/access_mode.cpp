// SPDX-License-Identifier: BSD-3-Clause
#include "file/access_mode.h"

#include "base/assert.h"

namespace sheaf {

Status AccessMode::validate() const {
    SHEAF_ASSERT(flags < 512);
    const int ways = int{has(read_only)} + int{has(write_only)} + int{has(read_write)};
    if (ways != 1) {
        return {Code::amode,
                "access mode: exactly one of MPI_MODE_RDONLY, WRONLY and RDWR is needed"};
    }
    if (has(read_only) && (has(create) || has(exclusive))) {
        return {Code::amode, "access mode: MPI_MODE_CREATE and EXCL do not go with RDONLY"};
    }
    if (has(sequential) && has(read_write)) {
        return {Code::amode, "access mode: MPI_MODE_SEQUENTIAL does not go with RDWR"};
    }
    return {};
}

}  // namespace sheaf
