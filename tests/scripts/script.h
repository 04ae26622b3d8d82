// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "oracle.h"
#include "type.h"

namespace iotest {

enum class ActionKind { nothing, write, read, seek, position, byte_offset };

/// What one rank does in a line that begins with `all` or `each`.
struct Action {
    ActionKind kind = ActionKind::nothing;
    std::optional<std::int64_t> at;  ///< Explicit offset in etypes; without it, the pointer's.
    std::string bytes;               ///< To write, or that a read must give.
    std::int64_t count = 0;          ///< Of a read: bytes asked for.
    model::TypePtr memory;
    std::string whence;       ///< Of a seek: set, cur or end.
    std::int64_t number = 0;  ///< Where to seek; the position or byte offset that must come.
    std::string error;        ///< The class that must come, empty for success.
};

enum class StatementKind {
    open,
    close,
    view,
    all,
    each,
    resize,
    preallocate,
    size,
    sync,
    remove,
    expect,
    expect_absent,
    trace
};

/// One line of a script, as the rank it was read for sees it.
struct Statement {
    StatementKind kind;
    int line;
    std::vector<std::string> modes{};  ///< Of open.
    model::View view{};
    std::string error{};
    Action action{};
    std::int64_t number = 0;
    std::string bytes{};
};

struct Script {
    int ranks = 1;
    std::optional<std::string> file;  ///< Contents before; without it there is no file.
    bool opens = false;               ///< Has an open of its own; else it is RDWR|CREATE.
    std::vector<Statement> statements;
};

/// Reads a script for rank `rank`. Throws Mistake with the line and what would be accepted.
Script read_script(const std::string& text, int rank);

}  // namespace iotest
