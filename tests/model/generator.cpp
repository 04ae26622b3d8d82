// SPDX-License-Identifier: BSD-3-Clause
#include "generator.h"

#include <algorithm>

namespace model {
namespace {

constexpr Scale kSmall{64 << 10, 512, 4, 0};
constexpr Scale kLarge{8 << 20, 256 << 10, 40, 2 << 20};
constexpr std::int64_t kUsualBytes = 8 << 10;

}  // namespace

Generator::Generator(std::uint64_t seed, int ranks, int me, const Features& features, int max_steps)
    : random_{seed},
      ranks_{ranks},
      me_{me},
      features_{features},
      steps_left_{random_.number(std::min(5, max_steps), max_steps)},
      scale_{random_.chance(features.large ? 100 : 1) ? kLarge : kSmall},
      states_(static_cast<std::size_t>(ranks)) {
    file_.set_holes_undefined(features.holes_undefined);
    if (random_.chance(50)) return;
    exists_ = true;
    const std::uint64_t salt = random_.next();
    const std::int64_t size = random_.below(random_.chance(20) ? scale_.file_bytes : kUsualBytes);
    for (std::int64_t at = size; at-- > 0;) file_.write(at, tag_byte(salt, at));
}

std::optional<Step> Generator::next() {
    if (queue_.empty() && !finished_) make_steps();
    if (queue_.empty()) return std::nullopt;
    Step step = std::move(queue_.front());
    queue_.pop_front();
    return step;
}

void Generator::make_steps() {
    if (!open_) return open();
    if (steps_left_-- <= 0) {
        finished_ = true;
        return close();
    }
    const int choice = random_.number(0, 99);
    if (choice < 52) return access();
    if (choice < 68) return set_view();
    if (choice < 78) return seek();
    if (choice < 82) return byte_offset();
    if (choice < 86) return get_size();
    if (choice < 90) return set_size();
    if (choice < 91) return preallocate();
    if (choice < 94) return push({.kind = StepKind::get_view});
    if (choice < 96) return mode_.writes ? push({.kind = StepKind::sync}) : seek();
    if (choice < 98) return refused_access();
    close();
}

void Generator::open() {
    Step step{.kind = StepKind::open};
    const int access = random_.number(0, 9);
    step.mode.reads = access != 0;
    step.mode.writes = !exists_ || access != 1;
    step.mode.creates = step.mode.writes && (!exists_ || random_.chance(60));
    step.mode.exclusive = !exists_ && random_.chance(30);
    step.mode.appends = random_.chance(10);
    step.mode.deletes = random_.chance(4);
    step.mode.unique = random_.chance(10);
    if (features_.errors && random_.chance(5)) {
        Step refused{.kind = StepKind::refused_open};
        refused.mode.creates = exists_;
        refused.mode.exclusive = exists_;
        refused.refusal = exists_ ? Refusal::file_exists : Refusal::no_such_file;
        push(refused);
    }
    if (features_.hints) add_hints(step);
    mode_ = step.mode;
    exists_ = true;
    open_ = true;
    for (RankState& state : states_) {
        state.view = byte_view(0);
        state.position = mode_.appends ? file_.size() : 0;
    }
    visible_size_ = file_.size();
    size_observed_ = false;
    push(step);
}

void Generator::add_hints(Step& step) {
    if (random_.chance(30))
        step.hints.emplace_back("cb_buffer_size", random_.pick({"64", "1024", "4096", "65536"}));
    if (random_.chance(20))
        step.hints.emplace_back("romio_cb_write", random_.pick({"enable", "disable"}));
    if (random_.chance(20))
        step.hints.emplace_back("romio_cb_read", random_.pick({"enable", "disable"}));
    if (random_.chance(15))
        step.hints.emplace_back("cb_nodes", std::to_string(random_.number(1, ranks_)));
    if (!features_.fcoll.empty())
        step.hints.emplace_back("sheaf_fcoll", random_.pick(features_.fcoll));
}

void Generator::close() {
    push({.kind = StepKind::close});
    open_ = false;
    conflicts_.clear();
    if (!mode_.deletes) return;
    exists_ = false;
    file_.resize(0);
}

void Generator::set_view() {
    Step step{.kind = StepKind::set_view};
    step.views = random_views(random_, ranks_, scale_, features_.plain_types);
    for (int rank = 0; rank < ranks_; ++rank)
        state(rank) = {step.views[static_cast<std::size_t>(rank)], 0};
    push(step);
}

void Generator::seek() {
    Step step{.kind = StepKind::seek};
    const auto whence = static_cast<Whence>(random_.number(0, 2));
    if (whence == Whence::end) observe_size();
    for (int rank = 0; rank < ranks_; ++rank) {
        RankState& own = state(rank);
        const std::int64_t end = end_of_file(own.view, file_.size());
        Action action{.idle = random_.chance(20), .whence = whence};
        action.position = random_.below(end + random_.number(1, 20));
        if (random_.chance(20)) action.position = rank * random_.number(1, 40);
        if (action.idle) action.position = own.position;
        action.offset = action.position;
        if (whence == Whence::current) action.offset -= own.position;
        if (whence == Whence::end) action.offset -= end;
        own.position = action.position;
        step.actions.push_back(action);
    }
    push(step);
}

void Generator::byte_offset() {
    Step step{.kind = StepKind::byte_offset};
    for (int rank = 0; rank < ranks_; ++rank) {
        Action action{.offset = random_.below(random_.pick({4, 100, 5000}))};
        action.position = etype_start(state(rank).view, action.offset);
        step.actions.push_back(action);
    }
    push(step);
}

void Generator::get_size() {
    observe_size();
    push({.kind = StepKind::get_size, .size = file_.size()});
}

void Generator::set_size() {
    if (!mode_.writes) return get_size();
    make_visible();
    const std::int64_t limit = random_.chance(30) ? scale_.file_bytes : kUsualBytes;
    Step step{.kind = StepKind::set_size, .size = random_.below(limit)};
    if (random_.chance(30)) step.size = random_.below(file_.size() + 1);
    file_.resize(step.size);
    push(step);
    make_visible();
}

void Generator::preallocate() {
    if (!mode_.writes || (features_.preallocate_needs_read && !mode_.reads)) return get_size();
    make_visible();
    Step step{.kind = StepKind::preallocate, .size = random_.below(kUsualBytes)};
    file_.preallocate(step.size);
    push(step);
    make_visible();
}

void Generator::make_visible() {
    visible_size_ = file_.size();
    size_observed_ = false;
    if (ranks_ == 1 || !mode_.writes) return;
    push({.kind = StepKind::visible});
    conflicts_.clear();
}

/// The next step's result depends on the file size: earlier growth must be visible, and later
/// growth must not happen while a slower rank still looks.
void Generator::observe_size() {
    if (file_.size() != visible_size_) make_visible();
    size_observed_ = true;
}

void Generator::refused_access() {
    if (!features_.errors || (mode_.reads && mode_.writes)) return access();
    Step step{.kind = StepKind::refused_access, .collective = random_.chance(50)};
    step.refusal = mode_.reads ? Refusal::read_only : Refusal::access;
    for (int rank = 0; rank < ranks_; ++rank) {
        const View& view = state(rank).view;
        Action action{
            .memory = make_contiguous(static_cast<int>(view.etype->size), make_named(Basic::byte)),
            .count = 1};
        action.direction = mode_.reads ? Direction::write : Direction::read;
        step.actions.push_back(action);
    }
    push(step);
}

}  // namespace model
