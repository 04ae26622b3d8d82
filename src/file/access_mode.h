// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The access mode of an open (MPI 4.1, 14.2.1).

#include <cstdint>

#include "base/status.h"

namespace sheaf {

/// The nine modes, as flags of our own; abi/ translates from and to the host's constants.
struct AccessMode {
    enum Flag : std::uint32_t {
        read_only = 1,
        write_only = 2,
        read_write = 4,
        create = 8,
        exclusive = 16,
        delete_on_close = 32,
        unique_open = 64,
        append = 128,
        sequential = 256,
    };
    std::uint32_t flags = 0;

    [[nodiscard]] bool has(Flag flag) const { return (flags & flag) != 0; }
    [[nodiscard]] bool reads() const { return has(read_only) || has(read_write); }
    [[nodiscard]] bool writes() const { return has(write_only) || has(read_write); }

    /// OK, or Code::amode naming what does not go together.
    [[nodiscard]] Status validate() const;
};

}  // namespace sheaf
