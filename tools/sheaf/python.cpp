// SPDX-License-Identifier: BSD-3-Clause

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "installation.h"
#include "verbs.h"

namespace sheaf::tool {

int python_verb(Arguments arguments) {
    std::string path = python_folder();
    const char* present = std::getenv("PYTHONPATH");
    if (present && *present) path = path + ":" + present;
    setenv("PYTHONPATH", path.c_str(), 1);

    std::string words[] = {"env", "python3", "-m", "sheaf_tools"};
    std::vector<char*> command;
    for (std::string& word : words) command.push_back(word.data());
    command.insert(command.end(), arguments.begin(), arguments.end());
    command.push_back(nullptr);
    execv("/usr/bin/env", command.data());
    std::fprintf(stderr, "sheaf: cannot run /usr/bin/env: %s\n", std::strerror(errno));
    return kOwnFailure;
}

}  // namespace sheaf::tool
