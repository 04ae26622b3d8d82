// SPDX-License-Identifier: BSD-3-Clause

// `sheaf exec`: ten thousand ranks may start this at once, so it reads a few bytes, changes two
// environment variables and becomes the program. No process stays between launcher and program:
// signals and exit status are the program's own.

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "installation.h"
#include "preloadable.h"
#include "verbs.h"

namespace sheaf::tool {
namespace {

constexpr int kNotReached = 86;  // The same as in preload/require.c.
constexpr int kCannotRun = 126;
constexpr int kNotFound = 127;

constexpr const char* kUsage =
    "usage: sheaf exec [--require] [--] COMMAND [ARGUMENT...]\n"
    "\n"
    "Runs COMMAND with its MPI file I/O served by Sheaf, as in\n"
    "    mpiexec -n 4 sheaf exec ./app\n"
    "\n"
    "  --require  Fail with status 86 when a process that uses MPI ends without any MPI_File call\n"
    "             having reached Sheaf. A process that leaves by _exit() cannot be seen.\n"
    "\n"
    "The exit status is COMMAND's; 127: not found, 126: cannot be run, 125: Sheaf's own failure.\n";

struct Options {
    bool require = false;
    bool help = false;
    Arguments command;
};

std::optional<Options> parse(Arguments arguments) {
    Options options;
    while (!arguments.empty() && arguments[0][0] == '-') {
        const std::string_view word = arguments[0];
        arguments = arguments.subspan(1);
        if (word == "--") break;
        if (word == "--require") {
            options.require = true;
        } else if (word == "--help" || word == "-h") {
            options.help = true;
        } else {
            std::fprintf(stderr, "sheaf: exec has no option %s\n%s", word.data(), kUsage);
            return std::nullopt;
        }
    }
    options.command = arguments;
    if (arguments.empty() && !options.help) {
        std::fprintf(stderr, "sheaf: exec needs a command\n%s", kUsage);
        return std::nullopt;
    }
    return options;
}

bool names(std::string_view list, std::string_view library) {
    while (!list.empty()) {
        const std::size_t end = list.find_first_of(": \t\n");
        if (list.substr(0, end) == library) return true;
        if (end == std::string_view::npos) break;
        list.remove_prefix(end + 1);
    }
    return false;
}

/// Puts our library behind whatever is preloaded already.
bool set_preload() {
    const std::string library = preload_path();
    if (library.find_first_of(": \t\n") != std::string::npos) {
        std::fprintf(stderr,
                     "sheaf: cannot preload %s: a blank or a colon in a path separates entries of "
                     "LD_PRELOAD; install Sheaf elsewhere\n",
                     library.c_str());
        return false;
    }
    if (access(library.c_str(), R_OK) != 0) {
        std::fprintf(stderr, "sheaf: cannot read %s: %s\n", library.c_str(), std::strerror(errno));
        return false;
    }
    const char* present = std::getenv("LD_PRELOAD");
    std::string list = present ? present : "";
    if (!names(list, library)) {
        if (!list.empty()) list += ':';
        list += library;
    }
    return setenv("LD_PRELOAD", list.c_str(), 1) == 0;
}

int report_exec_failure(const char* command) {
    const int error = errno;
    std::fprintf(stderr, "sheaf: cannot run %s: %s\n", command, std::strerror(error));
    return error == ENOENT || error == ENOTDIR ? kNotFound : kCannotRun;
}

}  // namespace

int exec_verb(Arguments arguments) {
    const std::optional<Options> options = parse(arguments);
    if (!options) return kOwnFailure;
    if (options->help) {
        std::fputs(kUsage, stdout);
        return 0;
    }
    const char* command = options->command[0];
    if (options->require) {
        if (const std::optional<std::string> obstacle = obstacle_to_preload(command)) {
            std::fprintf(stderr, "sheaf: required, but %s %s\n", command, obstacle->c_str());
            return kNotReached;
        }
        setenv("SHEAF_REQUIRE", "1", 1);
    }
    if (!set_preload()) return kOwnFailure;
    execvp(command, options->command.data());
    return report_exec_failure(command);
}

}  // namespace sheaf::tool
