// SPDX-License-Identifier: BSD-3-Clause
#include "coord/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/assert.h"
#include "platform/storage_facts.h"
#include "trace/ring.h"

namespace sheaf::coord {

namespace {

/// After a failure: everybody learns the code and the words of `first`, and how many failed.
Status share_failure(mpi::Communicator& communicator, Status mine, Rank first) {
    std::array<std::int64_t, 1> failed{mine.ok() ? 0 : 1};
    SHEAF_CHECK(communicator.all_reduce(failed, mpi::Reduction::sum));
    std::array<std::int64_t, 2> cause{static_cast<std::int64_t>(mine.code()), mine.system_error()};
    SHEAF_CHECK(communicator.broadcast(std::as_writable_bytes(std::span(cause)), first));
    std::string text;
    if (communicator.rank() == first) text = fmt::format("{}: {}", name_of(first), mine.text());
    SHEAF_CHECK(mpi::broadcast_text(communicator, text, first));
    trace::record(trace::Event::agree, first.value, cause[0]);
    if (!mine.ok()) return mine;
    SHEAF_ASSERT(cause[0] > 0 && cause[0] < kCodeCount);
    if (failed[0] > 1)
        text +=
            fmt::format("; {} other rank{} failed too", failed[0] - 1, failed[0] > 2 ? "s" : "");
    return {static_cast<Code>(cause[0]), text, static_cast<int>(cause[1])};
}

}  // namespace

std::string name_of(Rank rank) {
    return fmt::format("rank {} ({})", rank.value, platform::host_name());
}

Status agree(mpi::Communicator& communicator, Status mine, std::span<std::int64_t> minima) {
    const std::int64_t nobody = communicator.size();
    if (nobody == 1) return mine;
    std::vector<std::int64_t> record(minima.begin(), minima.end());
    trace::record(trace::Event::agree_enter, static_cast<std::int64_t>(mine.code()));
    record.push_back(mine.ok() ? nobody : communicator.rank().value);
    SHEAF_CHECK(communicator.all_reduce(record, mpi::Reduction::minimum));
    const std::int64_t first = record.back();
    std::copy_n(record.begin(), minima.size(), minima.begin());
    if (first == nobody) return {};
    return share_failure(communicator, std::move(mine), Rank{static_cast<int>(first)});
}

Status agree_same(mpi::Communicator& communicator, Status mine, std::span<const Same> values,
                  Code code) {
    // The minimum of v and of ~v gives both ends in one reduction; ~v cannot overflow.
    std::vector<std::int64_t> ends;
    for (const Same& same : values) {
        ends.push_back(same.value);
        ends.push_back(~same.value);
    }
    SHEAF_CHECK(agree(communicator, std::move(mine), ends));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::int64_t lowest = ends[2 * i];
        const std::int64_t highest = ~ends[2 * i + 1];
        if (lowest == highest) continue;
        return {code, fmt::format("{} differs among ranks: from {} to {}", values[i].what, lowest,
                                  highest)};
    }
    return {};
}

}  // namespace sheaf::coord
