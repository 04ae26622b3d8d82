// SPDX-License-Identifier: BSD-3-Clause

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "trace/ring.h"
#include "verbs.h"

namespace sheaf::tool {

namespace {

std::vector<std::string> ring_files(const std::string& folder, std::error_code& error) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".ring") files.push_back(entry.path().string());
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace

int trace_verb(Arguments arguments) {
    if (arguments.size() != 1) {
        std::fputs(
            "usage: sheaf trace DIR   (the SHEAF_TRACE_DIR of a run with SHEAF_TRACE=ring)\n",
            stderr);
        return kOwnFailure;
    }
    std::error_code error;
    const std::vector<std::string> files = ring_files(arguments[0], error);
    if (error || files.empty()) {
        std::fprintf(stderr, "sheaf: %s: %s\n", arguments[0],
                     error ? error.message().c_str() : "no ring files (NAME.ring) here");
        return 1;
    }
    int failures = 0;
    for (const std::string& file : files) {
        const Result<std::string> text = trace::describe_ring_file(file);
        std::fputs(
            text.ok() ? text->c_str() : std::string(text.status().text()).append("\n").c_str(),
            text.ok() ? stdout : stderr);
        failures += text.ok() ? 0 : 1;
    }
    return failures == 0 ? 0 : 1;
}

}  // namespace sheaf::tool
