// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The MPI library under us: its own functions behind the names that we export ourselves.

namespace sheaf::mpi {

/// The host library's function of this name ("PMPI_Init"), never ours; null where it has none.
/// Thread-safe.
[[nodiscard]] void* host_symbol(const char* name);

/// Set when MPI_Finalize begins: hooks that the host calls must then say that they are done.
void note_finalizing();
[[nodiscard]] bool host_is_finalizing();

/// The host's function, typed like one of our declarations: `host(MPI_Init, "PMPI_Init")(...)`.
template <class Function>
[[nodiscard]] Function* host(Function* /*declared*/, const char* name) {
    return reinterpret_cast<Function*>(host_symbol(name));
}

}  // namespace sheaf::mpi
