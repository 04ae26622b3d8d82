// SPDX-License-Identifier: BSD-3-Clause
#include "platform/storage_facts.h"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sched.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <string_view>

#include "base/assert.h"
#include "platform/system_error.h"

namespace sheaf::platform {

namespace {

struct FileSystemType {
    std::int64_t magic;
    std::string_view name;
    bool node_local;
};

// Numbers without a name in <linux/magic.h> are those that statfs(2) lists.
constexpr std::array kTypes{
    FileSystemType{EXT4_SUPER_MAGIC, "ext4", true},
    FileSystemType{TMPFS_MAGIC, "tmpfs", true},
    FileSystemType{0x58465342, "xfs", true},
    FileSystemType{BTRFS_SUPER_MAGIC, "btrfs", true},
    FileSystemType{OVERLAYFS_SUPER_MAGIC, "overlayfs", true},
    FileSystemType{RAMFS_MAGIC, "ramfs", true},
    FileSystemType{0x2fc12fc1, "zfs", true},
    FileSystemType{F2FS_SUPER_MAGIC, "f2fs", true},
    FileSystemType{MSDOS_SUPER_MAGIC, "msdos", true},
    FileSystemType{NFS_SUPER_MAGIC, "nfs", false},
    FileSystemType{0x0bd00bd0, "lustre", false},
    FileSystemType{0x47504653, "gpfs", false},
    FileSystemType{FUSE_SUPER_MAGIC, "fuse", false},
    FileSystemType{CEPH_SUPER_MAGIC, "ceph", false},
    FileSystemType{0x20030528, "orangefs", false},
    FileSystemType{0x19830326, "beegfs", false},
    FileSystemType{0xaad7aaea, "panfs", false},
    FileSystemType{SMB2_SUPER_MAGIC, "smb", false},
    FileSystemType{V9FS_MAGIC, "9p", false},
};

StorageFacts facts_from(const struct statfs& entry) {
    StorageFacts facts;
    facts.block_size = ByteCount{std::max<std::int64_t>(entry.f_bsize, 512)};
    const auto magic = static_cast<std::int64_t>(static_cast<std::uint32_t>(entry.f_type));
    const auto* row = std::ranges::find(kTypes, magic, &FileSystemType::magic);
    if (row == kTypes.end()) {
        facts.type = fmt::format("{:#x}", magic);
        facts.node_local = false;
        return facts;
    }
    facts.type = row->name;
    facts.node_local = row->node_local;
    return facts;
}

std::string parent_of(const std::string& path) {
    const auto slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace

Result<StorageFacts> storage_facts(const std::string& path) {
    struct statfs entry {};
    if (::statfs(path.c_str(), &entry) == 0) return facts_from(entry);
    if (errno == ENOENT && ::statfs(parent_of(path).c_str(), &entry) == 0) return facts_from(entry);
    return system_failure(errno, "statfs " + path);
}

std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::string host_name() {
    std::array<char, 256> name{};
    SHEAF_ASSERT(::gethostname(name.data(), name.size() - 1) == 0);
    return name.data();
}

int usable_cores() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (::sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
    return std::max(1, CPU_COUNT(&cores));
}

int process_id() {
    return ::getpid();
}

}  // namespace sheaf::platform
