// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "random.h"
#include "type.h"

namespace model {

/// What a random type may look like.
struct TypeTaste {
    int depth = 2;                  ///< Levels of nesting above the leaf, at most.
    std::int64_t max_extent = 512;  ///< Levels that would exceed this are left out.
    int largest_count = 4;
    std::int64_t unit = 1;  ///< Holes are whole multiples of this many bytes.
    bool plain = false;     ///< No empty pieces, no lower bound but 0: some peers fail there.
    bool ascending = true;  ///< Displacements not negative and ascending, as views need them.
};

/// An etype: its data starts at 0, its extent may exceed its size.
TypePtr random_etype(Random& random);

/// A type in memory whose signature is that of one `etype`.
TypePtr random_leaf(Random& random, const Type& etype);

/// `leaf` under random constructors. Instances one extent apart never interleave, so a result may
/// be used as leaf of a further one, or repeated as the tiles of a view.
TypePtr random_nest(Random& random, const TypePtr& leaf, const TypeTaste& taste);

}  // namespace model
