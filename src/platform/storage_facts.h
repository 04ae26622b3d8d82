// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What the system says of the storage behind a path, and of this machine.

#include <cstdint>
#include <string>

#include "base/result.h"
#include "base/types.h"

namespace sheaf::platform {

struct StorageFacts {
    std::string type;        // "ext4", "tmpfs", "nfs", ... or the magic number in hex.
    bool node_local = true;  // False for network and parallel file systems, and for unknown ones.
    ByteCount block_size{4096};  // Preferred size of transfers.
};

/// Facts of the file or, where it does not exist, of the directory it would be in.
Result<StorageFacts> storage_facts(const std::string& path);

/// Monotonic nanoseconds.
[[nodiscard]] std::int64_t now_ns();
/// This node's name.
[[nodiscard]] std::string host_name();
/// Cores this process may use.
[[nodiscard]] int usable_cores();
/// This process.
[[nodiscard]] int process_id();

}  // namespace sheaf::platform
