// SPDX-License-Identifier: BSD-3-Clause

#include <cstdio>
#include <string>

#include "platform/storage_facts.h"
#include "verbs.h"

namespace sheaf::tool {

int info_verb(Arguments arguments) {
    if (arguments.size() != 1) {
        std::fputs("usage: sheaf info PATH\n", stderr);
        return kOwnFailure;
    }
    const std::string path = arguments[0];
    const Result<platform::StorageFacts> facts = platform::storage_facts(path);
    if (!facts.ok()) {
        std::fprintf(stderr, "sheaf: %s\n", std::string{facts.status().text()}.c_str());
        return 1;
    }
    std::printf("path         %s\n", path.c_str());
    std::printf("file system  %s, %s\n", facts->type.c_str(),
                facts->node_local ? "local to this node" : "shared between nodes, or unknown");
    std::printf("block size   %lld bytes\n", static_cast<long long>(facts->block_size.value));
    return 0;
}

}  // namespace sheaf::tool
