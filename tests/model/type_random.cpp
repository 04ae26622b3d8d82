// SPDX-License-Identifier: BSD-3-Clause
#include "type_random.h"

#include <algorithm>
#include <cstddef>

namespace model {
namespace {

constexpr std::size_t kMaxRuns = 4096;
constexpr std::int64_t kMaxSize = 1 << 20;

/// Gives a type with displacements in bytes explicit bounds. Without them MPI libraries differ in
/// whether they round the extent up to the alignment of its largest basic type, as they may.
TypePtr pinned(TypePtr type) {
    const bool in_bytes = type->kind == Kind::hvector || type->kind == Kind::hindexed ||
                          type->kind == Kind::hindexed_block;
    return in_bytes ? make_resized(type->lb, type->extent(), type) : type;
}

/// One level above `child`, in one of the forms below.
class Level {
public:
    Level(Random& random, const TypePtr& child, const TypeTaste& taste)
        : random_{random}, child_{child}, taste_{taste} {}

    TypePtr make() {
        switch (random_.number(0, 12)) {
            case 0:
                return make_contiguous(count(), child_);
            case 1:
                return vector();
            case 2:
                return hvector();
            case 3:
                return make_indexed(blocks(child_->extent()), child_);
            case 4:
                return make_hindexed(blocks(1), child_);
            case 5:
                return indexed_block();
            case 6:
                return hindexed_block();
            case 7:
            case 8:
                return structure();
            case 9:
                return subarray();
            case 10:
                return darray();
            case 11:
                return resized();
            default:
                return make_dup(child_);
        }
    }

private:
    int count() { return random_.number(1, taste_.largest_count); }
    std::int64_t gap_bytes() { return random_.pick({0, 0, 1, 2, 3, 7}) * taste_.unit; }
    bool empty() { return random_.chance(15) && !taste_.plain; }
    int sign() { return !taste_.ascending && random_.chance(30) ? -1 : 1; }

    TypePtr vector() {
        const int block = count();
        const int direction = sign();
        // Open MPI 4 takes single items one behind the other for contiguous in either direction.
        const int stride = (block + random_.number(direction < 0 ? 1 : 0, 3)) * direction;
        return make_vector(count(), block, stride, child_);
    }

    TypePtr hvector() {
        const int block = random_.number(1, 3);
        const int direction = sign();
        const std::int64_t stride =
            block * child_->extent() + gap_bytes() + (direction < 0 ? 1 : 0);
        return make_hvector(count(), block, stride * direction, child_);
    }

    /// Blocks that do not overlap, in order for a view and in any order for memory. A step of one
    /// displacement is `step` bytes; `unit`s are kept when that is one.
    std::vector<IndexedBlock> blocks(std::int64_t step) {
        std::vector<IndexedBlock> result;
        std::int64_t cursor = taste_.ascending ? 0 : -random_.below(3) * child_->extent();
        const int pieces = random_.number(1, 5);
        for (int i = 0; i < pieces; ++i) {
            const bool by_extent = step != 1;
            cursor += by_extent ? random_.number(0, 2) * child_->extent() : gap_bytes();
            const int length = empty() ? 0 : random_.number(1, 3);
            result.push_back({length, cursor / step});
            cursor += length * child_->extent();
        }
        if (!taste_.ascending) random_.shuffle(result);
        return result;
    }

    TypePtr indexed_block() {
        const int block = random_.number(1, 3);
        std::vector<int> places;
        int cursor = taste_.ascending ? 0 : -random_.number(0, 4);
        for (int i = count(); i > 0; --i) {
            cursor += random_.number(0, 2);
            places.push_back(cursor);
            cursor += block;
        }
        if (!taste_.ascending) random_.shuffle(places);
        return make_indexed_block(block, places, child_);
    }

    TypePtr hindexed_block() {
        const int block = random_.number(1, 2);
        std::vector<std::int64_t> places;
        std::int64_t cursor = taste_.ascending ? 0 : -gap_bytes();
        for (int i = count(); i > 0; --i) {
            cursor += gap_bytes();
            places.push_back(cursor);
            cursor += block * child_->extent();
        }
        if (!taste_.ascending) random_.shuffle(places);
        return make_hindexed_block(block, places, child_);
    }

    TypePtr structure() {
        std::vector<StructBlock> pieces;
        std::int64_t cursor = 0;
        const TypePtr wide = make_vector(2, 1, 2, child_);
        for (int i = random_.number(1, 3); i > 0; --i) {
            const TypePtr& type = random_.chance(30) ? wide : child_;
            const int length = empty() ? 0 : random_.number(1, 2);
            cursor += gap_bytes();
            pieces.push_back({length, cursor - type->lb, type});
            cursor += length * type->extent();
        }
        if (!taste_.ascending) random_.shuffle(pieces);
        return make_resized(0, cursor + gap_bytes(), make_struct(pieces));
    }

    TypePtr subarray() {
        if (child_->lb != 0) return make_contiguous(count(), child_);
        std::vector<ArrayAxis> axes;
        for (int i = random_.number(1, 3); i > 0; --i) {
            const int size = random_.number(1, 5);
            const int subsize = random_.number(1, size);
            axes.push_back({size, subsize, random_.number(0, size - subsize)});
        }
        return make_subarray(random_.pick({ArrayOrder::c, ArrayOrder::fortran}), axes, child_);
    }

    TypePtr darray() {
        if (child_->lb != 0) return make_contiguous(count(), child_);
        std::vector<DistributedAxis> axes;
        int processes = 1;
        for (int i = random_.number(1, 2); i > 0; --i) {
            DistributedAxis axis{};
            axis.size = random_.number(1, 7);
            axis.distribution =
                random_.pick({Distribution::none, Distribution::block, Distribution::cyclic});
            axis.processes = axis.distribution == Distribution::none ? 1 : random_.number(1, 3);
            if (axis.distribution == Distribution::cyclic) axis.argument = random_.number(0, 2);
            processes *= axis.processes;
            axes.push_back(axis);
        }
        const int rank = random_.number(0, processes - 1);
        return make_darray(random_.pick({ArrayOrder::c, ArrayOrder::fortran}), rank, axes, child_);
    }

    TypePtr resized() {
        const std::int64_t below = random_.chance(25) ? gap_bytes() : 0;
        std::int64_t lb = child_->lb - below;
        // A lower bound is a displacement of the typemap; those of a view may not be negative.
        if (taste_.ascending) lb = std::max<std::int64_t>(lb, 0);
        return make_resized(lb, child_->ub + gap_bytes() - lb, child_);
    }

    Random& random_;
    const TypePtr& child_;
    const TypeTaste& taste_;
};

TypePtr random_basic(Random& random) {
    return make_named(static_cast<Basic>(random.number(0, kBasicCount - 1)));
}

/// A struct of basic types with holes between them, in the order of `members`.
TypePtr record(Random& random, const std::vector<Basic>& members, bool from_zero) {
    std::vector<StructBlock> blocks;
    std::int64_t cursor = from_zero ? 0 : random.below(5);
    for (Basic member : members) {
        blocks.push_back({1, cursor, make_named(member)});
        cursor += basic_size(member) + random.pick({0, 0, 1, 4});
    }
    return make_resized(0, cursor, make_struct(blocks));
}

bool is_acceptable(const Type& type, const TypeTaste& taste) {
    return type.size > 0 && type.extent() > 0 && type.extent() <= taste.max_extent &&
           type.runs.size() <= kMaxRuns && type.size <= kMaxSize;
}

}  // namespace

TypePtr random_etype(Random& random) {
    switch (random.number(0, 9)) {
        case 0:
        case 1:
            return make_contiguous(random.number(1, 4), random_basic(random));
        case 2: {
            const TypePtr basic = random_basic(random);
            return make_resized(0, basic->size * random.number(1, 3), basic);
        }
        case 3:
            return record(random, {Basic::int32, Basic::float64, Basic::character}, true);
        case 4:
            return record(random, {Basic::int16, Basic::byte}, true);
        default:
            return random_basic(random);
    }
}

TypePtr random_leaf(Random& random, const Type& etype) {
    if (random.chance(15))
        return make_contiguous(static_cast<int>(etype.size), make_named(Basic::byte));
    const std::vector<Basic>& period = etype.period;
    if (period.size() > 1) return record(random, period, false);
    const TypePtr basic = make_named(period[0]);
    const int repeats = static_cast<int>(etype.size / basic->size);
    if (repeats == 1) return basic;
    if (random.chance(50)) return make_contiguous(repeats, basic);
    return make_vector(repeats, 1, random.number(1, 3), basic);
}

TypePtr random_nest(Random& random, const TypePtr& leaf, const TypeTaste& taste) {
    TypePtr type = leaf;
    for (int level = random.number(0, taste.depth); level > 0; --level) {
        TypePtr higher = pinned(Level{random, type, taste}.make());
        if (taste.plain && higher->lb != 0) higher = make_resized(0, higher->ub, higher);
        if (is_acceptable(*higher, taste)) type = std::move(higher);
    }
    return type;
}

}  // namespace model
