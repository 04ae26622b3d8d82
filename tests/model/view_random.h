// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "oracle.h"
#include "random.h"

namespace model {

/// How far a program's file may reach and how large its types may become.
struct Scale {
    std::int64_t file_bytes;
    std::int64_t tile_bytes;
    int largest_count;
    std::int64_t usual_transfer;  ///< Bytes; 0: a few items of the memory type.
};

/// One view per rank, with one etype: interleaved tiles, segments, parts of a distributed array,
/// all the same, or each at random.
std::vector<View> random_views(Random& random, int ranks, const Scale& scale, bool plain_types);

}  // namespace model
