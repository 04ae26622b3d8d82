// SPDX-License-Identifier: BSD-3-Clause
#include "platform/descriptor.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/assert.h"
#include "platform/system_error.h"

namespace sheaf::platform {

namespace {

int flags_of(OpenFlags flags) {
    SHEAF_ASSERT(flags.read || flags.write);
    int result = O_CLOEXEC;
    result |= flags.read && flags.write ? O_RDWR : flags.write ? O_WRONLY : O_RDONLY;
    if (flags.create) result |= O_CREAT;
    if (flags.exclusive) result |= O_EXCL;
    return result;
}

/// Repeats a system call that a signal interrupted.
template <class Call>
auto retried(Call call) {
    auto result = call();
    while (result == -1 && errno == EINTR) result = call();
    return result;
}

Status outcome(int result, const char* what) {
    return result == 0 ? Status{} : system_failure(errno, what);
}

}  // namespace

void DescriptorTraits::release(Type descriptor) {
    ::close(descriptor);
}

Result<Descriptor> open_path(const std::string& path, OpenFlags flags, unsigned permissions) {
    const int descriptor =
        retried([&] { return ::open(path.c_str(), flags_of(flags), permissions); });
    if (descriptor == -1) return system_failure(errno, "open");
    Descriptor owned(descriptor);
    struct stat entry {};
    if (::fstat(descriptor, &entry) == -1) return system_failure(errno, "stat");
    if (S_ISDIR(entry.st_mode)) return system_failure(EISDIR, "open");
    return owned;
}

Result<Descriptor> open_anonymous(const std::string& name) {
    const int descriptor = ::memfd_create(name.substr(0, 200).c_str(), MFD_CLOEXEC);
    if (descriptor == -1) return system_failure(errno, "memfd_create");
    return Descriptor(descriptor);
}

std::string shared_path_of(const Descriptor& descriptor) {
    SHEAF_ASSERT(descriptor.valid());
    return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(descriptor.get());
}

Result<ByteCount> size_of(int descriptor) {
    struct stat entry {};
    if (::fstat(descriptor, &entry) == -1) return system_failure(errno, "stat");
    if (!S_ISBLK(entry.st_mode)) return ByteCount{entry.st_size};
    // A block device has no size in its inode; seeking tells, and nobody else uses the position.
    const off_t end = ::lseek(descriptor, 0, SEEK_END);
    if (end == -1) return system_failure(errno, "seek to end");
    return ByteCount{end};
}

Status resize(int descriptor, ByteCount size) {
    SHEAF_ASSERT(size.value >= 0);
    return outcome(retried([&] { return ::ftruncate(descriptor, size.value); }), "truncate");
}

Status allocate(int descriptor, ByteCount size) {
    SHEAF_ASSERT(size.value >= 0);
    if (size.zero()) return {};
    const int result = retried([&] { return ::fallocate(descriptor, 0, 0, size.value); });
    if (result == 0) return {};
    if (errno != EOPNOTSUPP && errno != ENOSYS) return system_failure(errno, "allocate");
    return {Code::unsupported_operation, "allocate: this file system cannot reserve space", errno};
}

Status synchronise(int descriptor) {
    return outcome(retried([&] { return ::fsync(descriptor); }), "sync");
}

Status close_descriptor(Descriptor descriptor) {
    // Not repeated on EINTR: Linux has closed the descriptor by then.
    const int result = ::close(descriptor.release());
    return result == 0 || errno == EINTR ? Status{} : system_failure(errno, "close");
}

Status remove_path(const std::string& path) {
    return outcome(::unlink(path.c_str()), "delete");
}

std::int64_t read_vector(int descriptor, std::span<const iovec> pieces, ByteOffset at) {
    const auto moved =
        ::preadv(descriptor, pieces.data(), static_cast<int>(pieces.size()), at.value);
    return moved == -1 ? -errno : moved;
}

std::int64_t write_vector(int descriptor, std::span<const iovec> pieces, ByteOffset at) {
    const auto moved =
        ::pwritev(descriptor, pieces.data(), static_cast<int>(pieces.size()), at.value);
    return moved == -1 ? -errno : moved;
}

bool is_retryable(std::int64_t result) {
    return result == -EINTR || result == -EAGAIN;
}

}  // namespace sheaf::platform
