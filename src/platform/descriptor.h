// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Files as the system has them: descriptors and the calls on them, with Status for errno.

#include <sys/uio.h>

#include <span>
#include <string>

#include "base/result.h"
#include "base/types.h"
#include "base/unique_handle.h"

namespace sheaf::platform {

struct DescriptorTraits {
    using Type = int;
    static Type null() { return -1; }
    static void release(Type descriptor);
};

/// Owns a file descriptor. Thread-compatible.
using Descriptor = UniqueHandle<DescriptorTraits>;

/// How a file is to be opened.
struct OpenFlags {
    bool read = false;
    bool write = false;
    bool create = false;
    bool exclusive = false;
};

/// Opens `path` (close-on-exec; never O_APPEND, never O_TRUNC). `permissions` serves a new file.
Result<Descriptor> open_path(const std::string& path, OpenFlags flags, unsigned permissions);
/// A new anonymous file in memory, named for diagnostics only.
Result<Descriptor> open_anonymous(const std::string& name);
/// A path by which other processes of this node and user can open `descriptor`.
[[nodiscard]] std::string shared_path_of(const Descriptor& descriptor);

Result<ByteCount> size_of(int descriptor);
Status resize(int descriptor, ByteCount size);
/// Makes sure that storage exists for `[0, size)`, growing the file to at least `size`; copies no
/// data. Fails with Code::unsupported_operation where the file system cannot promise that.
Status allocate(int descriptor, ByteCount size);
Status synchronise(int descriptor);
/// Closes and tells what close() said; the descriptor is gone either way.
Status close_descriptor(Descriptor descriptor);
Status remove_path(const std::string& path);

/// One preadv or pwritev: bytes moved (0 at end of file), or -errno.
using VectorCall = std::int64_t (*)(int descriptor, std::span<const iovec> pieces, ByteOffset at);
std::int64_t read_vector(int descriptor, std::span<const iovec> pieces, ByteOffset at);
std::int64_t write_vector(int descriptor, std::span<const iovec> pieces, ByteOffset at);

/// True for results of a VectorCall that mean "again" (EINTR, EAGAIN).
[[nodiscard]] bool is_retryable(std::int64_t result);

}  // namespace sheaf::platform
