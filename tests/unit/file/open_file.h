// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What the tests of File share: opening over ranks that are threads, and accesses to it.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "file/file.h"
#include "support/bytes.h"
#include "support/thread_communicator.h"

namespace sheaf::testing {

inline constexpr std::uint32_t kCreateReadWrite = AccessMode::create | AccessMode::read_write;

inline Result<std::unique_ptr<File>> open_file(mpi::Communicator& communicator,
                                               const std::string& name, std::uint32_t flags,
                                               std::vector<hints::Given> info = {}) {
    return File::open(duplicate(communicator), {name, AccessMode{flags}, std::move(info)}, {});
}

inline Memory memory_of(Bytes& bytes) {
    return {bytes.data(), view::bytes(std::ssize(bytes)).value()};
}

inline AccessCall at(Direction direction, std::int64_t offset, bool collective) {
    return {direction, Positioning::explicit_offset, collective, {offset}};
}

inline AccessCall individual(Direction direction, bool collective) {
    return {direction, Positioning::individual, collective, {}};
}

/// Etype of one byte; the filetype shows `block` bytes of every `extent`, from `displacement` on.
inline ViewArguments block_view(std::int64_t displacement, std::int64_t block,
                                std::int64_t extent) {
    const view::ViewType etype{view::bytes(1).value(), 1};
    return {{displacement}, etype, {view::bytes(block).value(), extent}, "native"};
}

}  // namespace sheaf::testing
