// SPDX-License-Identifier: BSD-3-Clause

// `sheaf`: the one entry to all tools.

#include <cstdio>
#include <string_view>

#include "verbs.h"

namespace sheaf::tool {
namespace {

int help_verb(Arguments arguments);
int version_verb(Arguments arguments);

struct Verb {
    std::string_view name;
    int (*run)(Arguments arguments);
    bool keeps_name;   // The arguments start with the verb.
    const char* help;  // Null: not for people.
};

// exec first: it must start fast.
constexpr Verb kVerbs[] = {
    {"exec", exec_verb, false, "COMMAND...  run an MPI program with its file I/O served by Sheaf"},
    {"info", info_verb, false, "PATH        what Sheaf sees and would choose for a file there"},
    {"doctor", doctor_verb, false, "            check this installation and the MPI libraries"},
    {"trace", trace_verb, false, "DIR         print the last events of each rank of a run"},
    {"bench", python_verb, true, "NAME        measure, beside the MPI library's own I/O"},
    {"report", python_verb, true, "DIR         one page about a run, made from its traces"},
    {"tune", python_verb, true, "COMMAND...  search for the best hints"},
    {"merge", python_verb, true, "DIR         merge the logs of ranks"},
    {"help", help_verb, false, "this text"},
    {"--help", help_verb, false, nullptr},
    {"-h", help_verb, false, nullptr},
    {"--version", version_verb, false, "the version"},
    {"--probe", probe_verb, false, nullptr},
};

int help_verb(Arguments) {
    std::puts("usage: sheaf VERB ...\n");
    for (const Verb& verb : kVerbs) {
        if (verb.help) std::printf("  %-9s %s\n", verb.name.data(), verb.help);
    }
    std::puts("\nTo run a program: mpiexec -n 4 sheaf exec ./app");
    return 0;
}

int version_verb(Arguments) {
    std::puts("sheaf " SHEAF_VERSION);
    return 0;
}

int unknown_verb(const char* name) {
    std::fprintf(stderr, "sheaf: no verb %s; there are", name);
    for (const Verb& verb : kVerbs) {
        if (verb.help) std::fprintf(stderr, " %s", verb.name.data());
    }
    std::fputs("\n", stderr);
    return kOwnFailure;
}

int run(Arguments arguments) {
    if (arguments.size() < 2) {
        help_verb({});
        return kOwnFailure;
    }
    for (const Verb& verb : kVerbs) {
        if (verb.name == arguments[1]) return verb.run(arguments.subspan(verb.keeps_name ? 1 : 2));
    }
    return unknown_verb(arguments[1]);
}

}  // namespace
}  // namespace sheaf::tool

int main(int argc, char** argv) {
    return sheaf::tool::run({argv, static_cast<std::size_t>(argc)});
}
