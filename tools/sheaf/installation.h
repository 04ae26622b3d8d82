// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Where the parts of Sheaf lie. A build folder and an installation look the same from here:
/// bin/sheaf, lib/libsheafpre.so, lib/libsheaf-<abi>.so, share/sheaf/.

#include <string>

namespace sheaf::tool {

/// The folder above the one that this command lies in ("/usr" for /usr/bin/sheaf), links resolved;
/// empty when the system does not say.
[[nodiscard]] std::string prefix();

/// prefix() + "/lib/libsheafpre.so".
[[nodiscard]] std::string preload_path();

/// The folder of the Python package `sheaf_tools`; in a build folder that of the source tree.
[[nodiscard]] std::string python_folder();

}  // namespace sheaf::tool
