// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The MPI library under us: its own functions behind the names that we export ourselves.

namespace sheaf::mpi {

/// The host library's function of this name ("PMPI_Init"), never ours; null where it has none.
/// Thread-safe.
[[nodiscard]] void* host_symbol(const char* name);

/// The host's function, typed like one of our declarations: `host(MPI_Init, "PMPI_Init")(...)`.
template <class Function>
[[nodiscard]] Function* host(Function* /*declared*/, const char* name) {
    return reinterpret_cast<Function*>(host_symbol(name));
}

}  // namespace sheaf::mpi
