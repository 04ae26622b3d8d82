// SPDX-License-Identifier: BSD-3-Clause

// `sheaf doctor`: for each MPI library that a program of this environment would find, a child of
// this command runs with the preload in place, loads the library and looks where the symbols lead.

#include <dlfcn.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "installation.h"
#include "verbs.h"

namespace sheaf::tool {
namespace {

/// A library that Sheaf can serve; the same table as in preload/host.c.
struct Host {
    const char* soname;
    const char* abi;
    const char* title;
};

constexpr Host kHosts[] = {
    {"libmpi.so.40", "ompi", "Open MPI"},
    {"libmpi.so.12", "mpich", "MPICH, Intel MPI and relatives"},
    {"libmpich.so.12", "mpich-debian", "MPICH as Debian names it"},
    {"libmpi_abi.so.1", "abi", "the standard ABI of MPI 5"},
};

/// What a probe found; its exit status. The order is that of severity.
enum Probe { kReaches, kNoLibrary, kNoBackend, kDoesNotReach };

std::string backend_path(std::string_view abi) {
    return prefix() + "/lib/libsheaf-" + std::string{abi} + ".so";
}

bool exists(const std::string& path) {
    return access(path.c_str(), R_OK) == 0;
}

/// Runs `sheaf exec sheaf --probe SONAME ABI`; the child prints what it finds.
int run_probe(const Host& host) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const std::string self = prefix() + "/bin/sheaf";
        execl(self.c_str(), "sheaf", "exec", self.c_str(), "--probe", host.soname, host.abi,
              static_cast<char*>(nullptr));
        _exit(kDoesNotReach);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return kDoesNotReach;
    return WIFEXITED(status) ? WEXITSTATUS(status) : kDoesNotReach;
}

void print_row(const char* verdict, const char* subject, const std::string& text) {
    std::printf("%-7s %-16s %s\n", verdict, subject, text.c_str());
}

/// False when the preload is not usable.
bool check_installation() {
    std::printf("sheaf %s in %s\n", SHEAF_VERSION, prefix().c_str());
    const bool present = exists(preload_path());
    print_row(present ? "ok" : "missing", "preload", preload_path());
    for (const Host& host : kHosts) {
        const std::string path = backend_path(host.abi);
        print_row(exists(path) ? "ok" : "missing", "backend", path + " for " + host.title);
    }
    const char* off = std::getenv("SHEAF_OFF");
    if (off && *off) print_row("note", "SHEAF_OFF", std::string{off} + ": Sheaf serves nothing");
    return present;
}

}  // namespace

int doctor_verb(Arguments) {
    bool healthy = check_installation();
    int served = 0;
    for (const Host& host : kHosts) {
        const int found = run_probe(host);
        if (found == kReaches) ++served;
        if (found > kNoLibrary) healthy = false;
    }
    if (served == 0)
        print_row("note", "MPI", "no MPI library that Sheaf could serve was found here");
    std::puts(healthy && served > 0 ? "doctor: OK" : "doctor: see above");
    return healthy && served > 0 ? 0 : 1;
}

int probe_verb(Arguments arguments) {
    if (arguments.size() != 2) return kDoesNotReach;
    const char* soname = arguments[0];
    void* library = dlopen(soname, RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        print_row("-", soname, "not found by the loader in this environment");
        return kNoLibrary;
    }
    const link_map* map = nullptr;
    dlinfo(library, RTLD_DI_LINKMAP, &map);
    const std::string where = map ? map->l_name : "?";

    Dl_info symbol = {};
    void* open_call = dlsym(RTLD_DEFAULT, "MPI_File_open");
    if (!open_call || dladdr(open_call, &symbol) == 0 ||
        !std::strstr(symbol.dli_fname, "libsheafpre.so")) {
        const char* instead = symbol.dli_fname ? symbol.dli_fname : "nowhere";
        print_row("broken", soname, where + ": MPI_File_open leads to " + instead);
        return kDoesNotReach;
    }
    if (!dlopen(backend_path(arguments[1]).c_str(), RTLD_NOW | RTLD_LOCAL)) {
        const char* reason = dlerror();
        print_row("broken", soname, where + ": " + (reason ? reason : "no backend"));
        return kNoBackend;
    }
    print_row("ok", soname, where + ": MPI_File calls reach Sheaf");
    return kReaches;
}

}  // namespace sheaf::tool
