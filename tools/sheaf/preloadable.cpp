// SPDX-License-Identifier: BSD-3-Clause

#include "preloadable.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

namespace sheaf::tool {
namespace {

constexpr const char* kPrivileged = "runs with raised privileges: nothing can be preloaded into it";

std::string find_along_path(const char* command) {
    if (std::strchr(command, '/')) return command;
    const char* variable = std::getenv("PATH");
    std::string_view folders = variable ? variable : "/bin:/usr/bin";
    while (true) {
        const std::size_t end = folders.find(':');
        std::string candidate{folders.substr(0, end)};
        if (!candidate.empty()) candidate += '/';  // An empty entry is the working directory.
        candidate += command;
        if (access(candidate.c_str(), X_OK) == 0) return candidate;
        if (end == std::string_view::npos) return {};
        folders.remove_prefix(end + 1);
    }
}

template <class T>
bool read_at(int descriptor, std::size_t offset, T* items, std::size_t count) {
    const auto bytes = static_cast<ssize_t>(count * sizeof(T));
    return pread(descriptor, items, count * sizeof(T), static_cast<off_t>(offset)) == bytes;
}

std::optional<std::string> obstacle_in(int descriptor) {
    char start[SELFMAG] = {};
    if (!read_at(descriptor, 0, start, sizeof start)) return "is neither a program nor a script";
    if (std::memcmp(start, "#!", 2) == 0) return std::nullopt;
    if (std::memcmp(start, ELFMAG, SELFMAG) != 0) return "is neither a program nor a script";

    ElfW(Ehdr) header;
    const unsigned char own_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
    if (!read_at(descriptor, 0, &header, 1) || header.e_ident[EI_CLASS] != own_class ||
        header.e_phentsize != sizeof(ElfW(Phdr))) {
        return "is not a program for this architecture";
    }
    std::vector<ElfW(Phdr)> segments(header.e_phnum);
    if (!read_at(descriptor, header.e_phoff, segments.data(), segments.size())) {
        return "is damaged";
    }
    for (const ElfW(Phdr) & segment : segments) {
        if (segment.p_type == PT_INTERP) return std::nullopt;
    }
    return "is statically linked: nothing can be preloaded into it";
}

bool gains_privileges(const struct stat& facts) {
    return ((facts.st_mode & S_ISUID) && facts.st_uid != geteuid()) ||
           ((facts.st_mode & S_ISGID) && facts.st_gid != getegid());
}

}  // namespace

std::optional<std::string> obstacle_to_preload(const char* command) {
    const std::string path = find_along_path(command);
    const int descriptor = path.empty() ? -1 : open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return std::nullopt;
    std::optional<std::string> obstacle;
    struct stat facts = {};
    if (fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode)) {
        obstacle = gains_privileges(facts) ? kPrivileged : obstacle_in(descriptor);
    }
    close(descriptor);
    return obstacle;
}

}  // namespace sheaf::tool
