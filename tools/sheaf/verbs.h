// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The verbs of the `sheaf` command. Each takes what follows its name and returns the exit status.

#include <span>

namespace sheaf::tool {

/// Arguments as main() got them; the array behind ends with a null pointer.
using Arguments = std::span<char*>;

/// Exit status when sheaf itself could not do its part, as env(1) and timeout(1) have it.
inline constexpr int kOwnFailure = 125;

/// Becomes another program with Sheaf preloaded. Returns only when that failed.
int exec_verb(Arguments arguments);

/// Prints the ring files of a run, rank by rank.
int trace_verb(Arguments arguments);

/// Prints what an open of a path would choose and why, or the table of hints.
int info_verb(Arguments arguments);

/// Checks this installation against the MPI libraries of this environment.
int doctor_verb(Arguments arguments);

/// What doctor runs with the preload in place: does one MPI library reach us? Internal.
int probe_verb(Arguments arguments);

/// Becomes `python3 -m sheaf_tools VERB ...`; `arguments` starts with the verb itself.
int python_verb(Arguments arguments);

}  // namespace sheaf::tool
