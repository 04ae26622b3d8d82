// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// SHEAF_VERBOSE: rank 0 says what serves a file, and why.

#include <string_view>

#include "file/file.h"

namespace sheaf::abi {

/// Says, on rank 0 and when asked for by SHEAF_VERBOSE, which components serve `file` after `event`
/// and what became of the hints.
void say_choices(File& file, std::string_view event);

}  // namespace sheaf::abi
