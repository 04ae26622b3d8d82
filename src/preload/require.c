// SPDX-License-Identifier: BSD-3-Clause

// `sheaf exec --require`: a process that loaded an MPI library and whose file calls did not reach
// Sheaf ends with status 86. A process that ends by _exit, by a signal or by becoming another
// program (exec) does not come here.

#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "preload/preload.h"

enum { kNotReachedStatus = 86 };

/// Also called when the library is unloaded, which LD_PRELOAD never lets happen.
__attribute__((destructor)) static void check_at_exit(void) {
    if (!secure_getenv("SHEAF_REQUIRE") || sheaf_reached()) return;
    static struct sheaf_host host;
    if (!sheaf_is_first_process() || !sheaf_find_host(NULL, &host)) return;
    fflush(NULL);  // Leaving by _exit skips what exit() has still to do.
    dprintf(STDERR_FILENO,
            "sheaf: required, but no MPI file call of process %d (%s) reached Sheaf\n",
            (int)getpid(), program_invocation_name);
    _exit(kNotReachedStatus);
}
