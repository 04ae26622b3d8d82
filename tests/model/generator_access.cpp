// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "generator.h"
#include "type_random.h"

namespace model {
namespace {

/// What tells the bytes of one rank in one step from all others.
std::uint64_t rank_salt(const Step& step, int rank) {
    return step.equal_bytes ? step.salt
                            : step.salt + static_cast<std::uint64_t>(rank + 1) * 0x51ed27;
}

/// How many bytes of the stream lie before the end of the file. Views ascend, so they come first.
std::int64_t bytes_before(const std::vector<Run>& runs, std::int64_t size) {
    std::int64_t bytes = 0;
    for (const Run& run : runs) bytes += std::clamp<std::int64_t>(size - run.begin, 0, run.length);
    return bytes;
}

void drop(Action& action) {
    action.count = 0;
    action.runs.clear();
}

bool has_writes(const Step& step) {
    return std::any_of(step.actions.begin(), step.actions.end(), [](const Action& each) {
        return !each.runs.empty() && each.direction == Direction::write;
    });
}

}  // namespace

/// How an access is called, before anything is known of its data.
Step Generator::access_step() {
    Step step{.kind = StepKind::access};
    step.collective = random_.chance(55);
    step.positioning = random_.pick({Positioning::explicit_offset, Positioning::individual});
    if (features_.nonblocking && random_.chance(30)) step.flavor = Flavor::nonblocking;
    if (features_.split && step.collective && random_.chance(30)) step.flavor = Flavor::split;
    return step;
}

void Generator::access() {
    Step step = access_step();
    const bool reads = mode_.reads && (!mode_.writes || random_.chance(45));
    step.equal_bytes = !reads && random_.chance(10);
    step.salt = random_.next();
    for (int rank = 0; rank < ranks_; ++rank) {
        const bool mixes = mode_.reads && mode_.writes && !step.equal_bytes && !step.collective;
        const bool other = mixes && random_.chance(15);
        step.actions.push_back(propose(step, rank, reads != other));
    }
    place(step);
    resolve(step);
    for (int rank = 0; rank < ranks_; ++rank)
        evaluate_read(step, rank, step.actions[static_cast<std::size_t>(rank)]);
    for (int rank = 0; rank < ranks_; ++rank)
        evaluate_write(step, rank, step.actions[static_cast<std::size_t>(rank)]);
    push(step);
}

Action Generator::propose(const Step& step, int rank, bool reads) {
    Action action{.idle = !step.collective && random_.chance(25)};
    action.direction = reads ? Direction::read : Direction::write;
    const View& view = state(rank).view;
    TypeTaste taste{.plain = features_.plain_types, .ascending = features_.plain_types};
    taste.max_extent = std::max<std::int64_t>(scale_.tile_bytes, 8 * view.etype->extent());
    taste.largest_count = scale_.largest_count;
    action.memory = random_nest(random_, random_leaf(random_, *view.etype), taste);
    action.count = random_.chance(12) ? 0 : random_.number(1, 8);
    if (scale_.usual_transfer > 0 && action.count > 0 && random_.chance(50))
        action.count += random_.below(scale_.usual_transfer) / action.memory->size;
    action.absolute = random_.chance(10);
    action.large_count = random_.chance(20);
    return action;
}

/// Chooses where the accesses start; half of the time one behind the other.
void Generator::place(Step& step) {
    const bool in_sequence = random_.chance(50);
    const bool beyond = random_.chance(30);
    std::int64_t next = -1;
    for (int rank = 0; rank < ranks_; ++rank) {
        Action& action = step.actions[static_cast<std::size_t>(rank)];
        const RankState& own = state(rank);
        const std::int64_t end = end_of_file(own.view, file_.size());
        action.offset = random_.below(end + (beyond ? 60 : 2));
        if (in_sequence && next >= 0) action.offset = next;
        if (step.positioning == Positioning::individual) action.offset = own.position;
        fit(action, own.view);
        next = action.offset + action.count * action.memory->size / own.view.etype->size;
    }
}

/// Takes items away until the access ends within the largest file allowed.
void Generator::fit(Action& action, const View& view) const {
    const std::int64_t begin = action.offset * view.etype->size;
    if (action.idle) action.count = 0;
    for (; action.count > 0; action.count /= 2) {
        action.runs = map_stream(view, begin, action.count * action.memory->size);
        if (action.runs.back().end() <= scale_.file_bytes + (scale_.file_bytes >> 2)) return;
    }
    drop(action);
}

/// Whether the file's size, as it was seen or grew since ranks last saw each other's writes,
/// matters to this action.
bool Generator::meets_growth(const Action& action) const {
    const std::int64_t end = action.runs.back().end();
    if (action.direction == Direction::write) return end > file_.size() && size_observed_;
    return file_.size() != visible_size_ && end > visible_size_;
}

/// Lets go of what would conflict within the step, and puts sync-barrier-sync before the step if
/// it conflicts with an earlier one.
void Generator::resolve(Step& step) {
    Conflicts own;
    bool stale = false;
    bool observes = false;
    const bool grows = has_writes(step);
    for (int rank = 0; rank < ranks_; ++rank) {
        Action& action = step.actions[static_cast<std::size_t>(rank)];
        if (action.runs.empty()) continue;
        const bool writes = action.direction == Direction::write;
        const bool past_end = action.runs.back().end() > file_.size();
        const bool races_growth = !writes && past_end && grows;
        if (!step.equal_bytes && (races_growth || own.clashes(rank, writes, action.runs))) {
            drop(action);
            continue;
        }
        own.note(rank, writes, action.runs);
        stale = stale || conflicts_.clashes(rank, writes, action.runs) || meets_growth(action);
        observes = observes || (!writes && past_end);
    }
    if (stale) make_visible();
    size_observed_ = size_observed_ || observes;
    conflicts_.merge(own);
}

void Generator::evaluate_read(const Step& step, int rank, Action& action) {
    RankState& own = state(rank);
    if (action.direction != Direction::read || action.idle) {
        action.position = own.position;
        return;
    }
    action.transferred = bytes_before(action.runs, file_.size());
    if (step.positioning == Positioning::individual)
        own.position += action.count * action.memory->size / own.view.etype->size;
    action.position = own.position;
    if (rank != me_) return;
    for (const Run& run : action.runs) {
        for (std::int64_t at = run.begin; at < std::min(run.end(), file_.size()); ++at) {
            action.bytes.push_back(file_.at(at));
            action.defined.push_back(file_.is_defined(at));
        }
    }
}

void Generator::evaluate_write(const Step& step, int rank, Action& action) {
    if (action.direction != Direction::write || action.idle) return;
    RankState& own = state(rank);
    action.transferred = action.count * action.memory->size;
    if (step.positioning == Positioning::individual)
        own.position += action.transferred / own.view.etype->size;
    action.position = own.position;
    const std::uint64_t salt = rank_salt(step, rank);
    std::int64_t index = 0;
    for (const Run& run : action.runs) {
        for (std::int64_t at = run.begin; at < run.end(); ++at, ++index) {
            const std::uint8_t byte = tag_byte(salt, step.equal_bytes ? at : index);
            file_.write(at, byte);
            if (rank == me_) action.bytes.push_back(byte);
        }
    }
}

}  // namespace model
