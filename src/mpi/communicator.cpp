// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/communicator.h"

#include <array>
#include <string>

#include "base/assert.h"
#include "base/result.h"

namespace sheaf::mpi {

Status all_gather_blocks(Communicator& communicator, std::span<const std::byte> mine,
                         std::vector<std::vector<std::byte>>& all) {
    const auto ranks = static_cast<std::size_t>(communicator.size());
    std::vector<std::int64_t> lengths(ranks);
    const std::int64_t length = std::ssize(mine);
    SHEAF_CHECK(communicator.all_gather(std::as_bytes(std::span(&length, 1)),
                                        std::as_writable_bytes(std::span(lengths))));
    all.resize(ranks);
    // One broadcast per rank that has something: blocks are few and small (layouts of views).
    for (std::size_t root = 0; root < ranks; ++root) {
        SHEAF_ASSERT(lengths[root] >= 0);
        all[root].resize(static_cast<std::size_t>(lengths[root]));
        const Rank from{static_cast<int>(root)};
        if (from == communicator.rank()) all[root].assign(mine.begin(), mine.end());
        if (!all[root].empty()) SHEAF_CHECK(communicator.broadcast(all[root], from));
    }
    return {};
}

Status broadcast_text(Communicator& communicator, std::string& text, Rank root) {
    std::array<std::int64_t, 1> length{std::ssize(text)};
    SHEAF_CHECK(communicator.broadcast(std::as_writable_bytes(std::span(length)), root));
    SHEAF_ASSERT(length[0] >= 0);
    text.resize(static_cast<std::size_t>(length[0]));
    if (text.empty()) return {};
    return communicator.broadcast(std::as_writable_bytes(std::span(text)), root);
}

}  // namespace sheaf::mpi
