// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// File names as users write them: with or without a file system prefix.

#include <string>
#include <string_view>

namespace sheaf {

struct FileName {
    std::string prefix;  // "memory" for "memory:/x"; empty for none and for those that say nothing.
    std::string path;
};

/// Takes a known prefix off. ROMIO's ("ufs:", "nfs:", ...) are accepted and mean nothing: the file
/// system is found out by looking. Text before a colon that is no known prefix belongs to the path.
[[nodiscard]] FileName parse_file_name(std::string_view name);

}  // namespace sheaf
