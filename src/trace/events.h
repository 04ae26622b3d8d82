// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Every event there is: one table.

#include <array>
#include <cstdint>
#include <string_view>

namespace sheaf::trace {

/// Kinds of events. New ones go to the end: the number stands in trace files.
enum class Event : std::uint16_t {
    none,
    access_enter,
    access_leave,
    open,
    close,
    select,
    set_view,
    agree,
    plan,
    round,
    exchange,
    storage_read,
    storage_write,
    storage_other,
    failure,
    fault_injected,
    agree_enter,
};

struct EventRow {
    std::string_view name;
    std::array<std::string_view, 3> arguments;  // What a, b and c mean; empty = unused.
};

inline constexpr std::array kEvents{
    EventRow{"none", {}},
    EventRow{"access.enter", {"kind", "offset", "bytes"}},  // Kind: 1 write, 2 collective.
    EventRow{"access.leave", {"bytes", "code"}},
    EventRow{"file.open", {"file", "ranks"}},
    EventRow{"file.close", {"file"}},
    EventRow{"select", {"framework", "component", "priority"}},
    EventRow{"view.set", {"displacement", "etype_bytes", "filetype_bytes"}},
    EventRow{"coord.agree.failed", {"first_failing_rank", "code"}},
    EventRow{"fcoll.plan", {"begin", "end", "rounds"}},
    EventRow{"fcoll.round", {"round", "rounds"}},
    EventRow{"fcoll.exchange", {"messages"}},
    EventRow{"fbtl.read", {"begin", "bytes", "result"}},
    EventRow{"fbtl.write", {"begin", "bytes", "result"}},
    EventRow{"fs.call", {"call", "value", "code"}},
    EventRow{"failure", {"code", "errno"}},
    EventRow{"fault", {"call", "errno", "nth"}},
    EventRow{"coord.agree.enter", {"code"}},
};

static_assert(kEvents.size() == static_cast<std::size_t>(Event::agree_enter) + 1);

}  // namespace sheaf::trace
