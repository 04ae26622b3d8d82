// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "executor.h"
#include "generator.h"

namespace model {

struct Options {
    int programs = 200;
    std::uint64_t first_seed = 1;
    bool listing = false;  ///< Print the program: --seed.
    std::vector<int> ranks{1, 2, 3, 4, 7};
    std::string dir;
    int ops = 30;
    int seconds = 0;  ///< Start no further program after this long; 0: no limit.
    int watchdog_seconds = 120;
    Features features;
    Tolerated tolerated;
};

/// Reads the command line; on a mistake fills `mistake` and returns what was read so far.
Options parse_options(int argc, char** argv, std::string& mistake);

extern const char* const kUsage;

}  // namespace model
