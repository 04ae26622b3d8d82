// SPDX-License-Identifier: BSD-3-Clause

#include "installation.h"

#include <limits.h>
#include <unistd.h>

#include <cstdio>

namespace sheaf::tool {

std::string prefix() {
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0 || length == sizeof path) return {};
    std::string result(path, static_cast<std::size_t>(length));
    for (int level = 0; level < 2; ++level) {  // The command's name, then "bin".
        const std::size_t slash = result.rfind('/');
        if (slash == std::string::npos) return {};
        result.erase(slash);
    }
    return result;
}

std::string preload_path() {
    return prefix() + "/lib/libsheafpre.so";
}

std::string python_folder() {
    const std::string share = prefix() + "/share/sheaf/";
    // Written by tools/CMakeLists.txt into build folders, never installed.
    if (std::FILE* file = std::fopen((share + "python-folder").c_str(), "re")) {
        char line[PATH_MAX] = "";
        const std::size_t length = std::fread(line, 1, sizeof line - 1, file);
        std::fclose(file);
        const std::string_view folder(line, length);
        return std::string(folder.substr(0, folder.find('\n')));
    }
    return share + "python";
}

}  // namespace sheaf::tool
