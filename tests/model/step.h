// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "oracle.h"
#include "type.h"

namespace model {

enum class StepKind {
    open,
    refused_open,  ///< An open that must fail with the class in `refusal`.
    close,
    set_view,
    get_view,
    access,
    refused_access,  ///< An access that must fail with the class in `refusal`.
    seek,
    byte_offset,
    get_size,
    set_size,
    preallocate,
    sync,
    visible  ///< sync, barrier, sync: all writes become visible to all ranks.
};

enum class Direction { write, read };
enum class Positioning { explicit_offset, individual };
enum class Flavor { blocking, nonblocking, split };
enum class Whence { set, current, end };
enum class Refusal { none, file_exists, no_such_file, read_only, access };

struct OpenMode {
    bool reads = true;
    bool writes = true;
    bool creates = false;
    bool exclusive = false;
    bool appends = false;
    bool deletes = false;
    bool unique = false;
};

/// What one rank does in a step and what must come of it.
struct Action {
    bool idle = false;  ///< Independent steps only: this rank makes no call.
    Direction direction = Direction::write;
    TypePtr memory{};
    std::int64_t count = 0;
    bool absolute = false;     ///< MPI_BOTTOM with a type of absolute addresses.
    bool large_count = false;  ///< The _c variant, where the library has it.
    std::int64_t offset = 0;   ///< In etypes: where the access starts, or of a seek.
    Whence whence = Whence::set;

    std::int64_t transferred = 0;  ///< Bytes that the status must report.
    std::int64_t position = 0;     ///< Individual pointer afterwards, or the result asked for.
    std::vector<Run> runs{};       ///< The bytes of the file, in stream order.
    std::vector<std::uint8_t>
        bytes{};                  ///< To write, or to be read; only of the rank that executes.
    std::vector<bool> defined{};  ///< Empty, or which of `bytes` are defined.
};

struct Step {
    StepKind kind = StepKind::sync;
    bool collective = false;
    Positioning positioning = Positioning::explicit_offset;
    Flavor flavor = Flavor::blocking;
    bool equal_bytes = false;  ///< Ranks may write the same bytes: each the same value.
    std::uint64_t salt = 0;    ///< Makes the bytes of this step.
    OpenMode mode{};
    Refusal refusal = Refusal::none;
    std::int64_t size = 0;
    std::vector<std::pair<std::string, std::string>> hints{};
    std::vector<View> views{};      ///< Of set_view: one per rank.
    std::vector<Action> actions{};  ///< One per rank, where ranks differ.
};

/// The step in words, one line per rank where ranks differ.
std::string describe(const Step& step);
/// The step in words as rank `rank` sees it, on one line.
std::string describe(const Step& step, int rank);

}  // namespace model
