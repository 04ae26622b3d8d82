// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace model {

/// Ends a hung run: when no step has begun for `seconds`, each rank prints where it is and the job
/// dies. Uses SIGALRM, so no thread is needed.
void start_watchdog(int seconds);

/// Tells the watchdog that `text` begins now.
void note_step(const std::string& text);

/// The run waits for other ranks and may do so for as long as it likes.
void pause_watchdog();

}  // namespace model
