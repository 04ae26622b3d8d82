// SPDX-License-Identifier: BSD-3-Clause
#include "view_random.h"

#include <algorithm>
#include <numeric>

#include "type_random.h"

namespace model {
namespace {

class ViewMaker {
public:
    ViewMaker(Random& random, int ranks, const Scale& scale, bool plain_types)
        : random_{random}, ranks_{ranks}, scale_{scale}, etype_{random_etype(random)} {
        taste_.depth = 3;
        taste_.plain = plain_types;
        taste_.max_extent = scale.tile_bytes;
        taste_.largest_count = scale.largest_count;
        taste_.unit = etype_->extent();
        base_ = random.chance(40) ? 0 : random.below(random.pick({16, 200, 3000}));
    }

    std::vector<View> make() {
        switch (random_.number(0, 7)) {
            case 0:
            case 1:
                return interleaved();
            case 2:
                return segments();
            case 3:
                return blocks_of_array();
            case 4:
                return distributed_array();
            case 5:
                return same();
            case 6:
                return {static_cast<std::size_t>(ranks_), byte_view(base_)};
            default:
                return unrelated();
        }
    }

private:
    TypePtr tile() { return random_nest(random_, etype_, taste_); }

    /// Each rank has a slot of a common tile.
    std::vector<View> interleaved() {
        std::vector<TypePtr> tiles;
        std::int64_t slot = 0;
        const bool alike = random_.chance(50);
        for (int rank = 0; rank < ranks_; ++rank) {
            tiles.push_back(alike && rank > 0 ? tiles[0] : tile());
            slot = std::max(slot, tiles.back()->ub);
        }
        slot += random_.number(0, 2) * etype_->extent();
        std::vector<View> views;
        std::int64_t place = 0;
        for (int rank : shuffled_ranks()) {
            const TypePtr& own = tiles[static_cast<std::size_t>(place)];
            views.push_back({base_ + rank * slot, etype_, make_resized(0, ranks_ * slot, own)});
            ++place;
        }
        return views;
    }

    std::vector<View> segments() {
        const std::int64_t length = scale_.file_bytes / ranks_;
        std::vector<View> views;
        for (int rank : shuffled_ranks()) views.push_back({base_ + rank * length, etype_, tile()});
        return views;
    }

    std::vector<View> blocks_of_array() {
        const std::vector<int> grid = process_grid();
        std::vector<int> sizes;
        for (int processes : grid)
            sizes.push_back(processes + random_.number(0, 2 * scale_.largest_count));
        const ArrayOrder order = random_.pick({ArrayOrder::c, ArrayOrder::fortran});
        std::vector<View> views;
        for (int rank : shuffled_ranks()) {
            std::vector<ArrayAxis> axes;
            int processes = ranks_;
            for (std::size_t axis = 0; axis < grid.size(); ++axis) {
                processes /= grid[axis];
                const int coordinate = rank / processes % grid[axis];
                const int first = sizes[axis] * coordinate / grid[axis];
                const int end = sizes[axis] * (coordinate + 1) / grid[axis];
                axes.push_back({sizes[axis], end - first, first});
            }
            views.push_back({base_, etype_, make_subarray(order, axes, etype_)});
        }
        return views;
    }

    std::vector<View> distributed_array() {
        std::vector<DistributedAxis> axes;
        for (int processes : process_grid()) {
            DistributedAxis axis{};
            axis.processes = processes;
            axis.size = processes * random_.number(1, 3) + random_.number(0, 3);
            axis.distribution = random_.pick({Distribution::block, Distribution::cyclic});
            if (processes == 1 && random_.chance(50)) axis.distribution = Distribution::none;
            if (axis.distribution == Distribution::cyclic) axis.argument = random_.number(0, 2);
            axes.push_back(axis);
        }
        const ArrayOrder order = random_.pick({ArrayOrder::c, ArrayOrder::fortran});
        std::vector<View> views;
        for (int rank : shuffled_ranks()) {
            const TypePtr part = make_darray(order, rank, axes, etype_);
            // A rank without any element could not even be asked for an offset.
            if (part->size == 0) return interleaved();
            views.push_back({base_, etype_, part});
        }
        return views;
    }

    std::vector<View> same() {
        return {static_cast<std::size_t>(ranks_), View{base_, etype_, tile()}};
    }

    std::vector<View> unrelated() {
        std::vector<View> views;
        for (int rank = 0; rank < ranks_; ++rank)
            views.push_back({random_.below(300), etype_, tile()});
        return views;
    }

    /// One to three factors whose product is the number of ranks.
    std::vector<int> process_grid() {
        std::vector<int> grid;
        int left = ranks_;
        for (int factor : {random_.pick({1, 2}), random_.pick({1, 2})}) {
            if (random_.chance(50) || left % factor != 0) continue;
            grid.push_back(factor);
            left /= factor;
        }
        grid.push_back(left);
        return grid;
    }

    std::vector<int> shuffled_ranks() {
        std::vector<int> order(static_cast<std::size_t>(ranks_));
        std::iota(order.begin(), order.end(), 0);
        if (random_.chance(40)) random_.shuffle(order);
        return order;
    }

    Random& random_;
    int ranks_;
    const Scale& scale_;
    TypePtr etype_;
    TypeTaste taste_;
    std::int64_t base_ = 0;
};

}  // namespace

std::vector<View> random_views(Random& random, int ranks, const Scale& scale, bool plain_types) {
    return ViewMaker{random, ranks, scale, plain_types}.make();
}

}  // namespace model
