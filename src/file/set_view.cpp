// SPDX-License-Identifier: BSD-3-Clause

/// Views: checks, agreement on what must agree, and the choice of collective algorithms.

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/assert.h"
#include "coord/agreement.h"
#include "file/file.h"
#include "frameworks/components.h"
#include "frameworks/selector.h"
#include "trace/ring.h"

namespace sheaf {

namespace {

/// Hole ratios travel as millionths.
constexpr double kRatioScale = 1e6;

Result<view::FileView> make_view(const ViewArguments& arguments, bool writable) {
    const bool native =
        arguments.representation == "native" || arguments.representation == "internal";
    if (!native) {
        return Status{Code::unsupported_datarep,
                      "set_view: data representation \"" + arguments.representation +
                          "\" is not built yet; accepted are native and internal"};
    }
    return view::FileView::make(arguments.displacement, arguments.etype, arguments.filetype,
                                writable);
}

}  // namespace

Status File::set_view(const ViewArguments& arguments, const std::vector<hints::Given>& info,
                      Status precondition) {
    Result<view::FileView> made = precondition.ok()
                                      ? make_view(arguments, mode_.writes())
                                      : Result<view::FileView>(std::move(precondition));
    hints_.set(info, "info", hints::Changes::at_set_view);
    const std::array<std::int64_t, 1> must_agree{arguments.etype.extent};
    SHEAF_CHECK(in_context(adopt_view(std::move(made), must_agree)));
    position_.store(0, std::memory_order_relaxed);
    return {};
}

Status File::adopt_view(Result<view::FileView> view, std::span<const std::int64_t> must_agree) {
    const view::ViewStatistics statistics = view.ok() ? view->statistics() : view::ViewStatistics{};
    const auto fingerprint = static_cast<std::int64_t>(hints_.fingerprint());
    // A rank whose view shows nothing has no say.
    const bool shows_nothing = view.ok() && statistics.pieces == 0;
    std::vector<std::int64_t> minima{
        statistics.contiguous || shows_nothing ? 1 : 0,
        shows_nothing ? std::numeric_limits<std::int64_t>::max() : statistics.mean_piece,
        -static_cast<std::int64_t>(statistics.hole_ratio * kRatioScale), fingerprint, ~fingerprint};
    const std::size_t own = minima.size();
    for (const std::int64_t value : must_agree) minima.insert(minima.end(), {value, ~value});
    SHEAF_CHECK(coord::agree(*communicator_, view.status(), minima));
    for (std::size_t i = own; i < minima.size(); i += 2) {
        if (minima[i] != ~minima[i + 1])
            return {Code::not_same, "set_view: the extent of the etype differs among ranks"};
    }
    if (minima[3] != ~minima[4]) SHEAF_CHECK(adopt_hints());
    const fcoll::ViewSummary summary{minima[0] == 1, ByteCount{minima[1]},
                                     static_cast<double>(-minima[2]) / kRatioScale};
    SHEAF_TRY(auto state, choose_collective(std::move(view).value(), summary));
    view_ = std::move(state);
    trace::record(trace::Event::set_view, view_->view.displacement().value,
                  view_->view.etype_size().value, view_->view.filetype().layout.size().value);
    return {};
}

Result<std::unique_ptr<File::ViewState>> File::choose_collective(
    view::FileView view, const fcoll::ViewSummary& summary) {
    SHEAF_ASSERT(context_ != nullptr);
    const std::string wanted = hints_.word("sheaf_fcoll");
    const auto choose = [&](Direction direction) {
        return select_agreed<fcoll::Component, fcoll::Candidate>(
            fcoll::components(), {*context_, summary, direction}, wanted);
    };
    SHEAF_TRY(const auto for_reads, choose(Direction::read));
    SHEAF_TRY(const auto for_writes, choose(Direction::write));
    auto state = std::make_unique<ViewState>();
    state->view = std::move(view);
    state->reader = for_reads.component->make(*context_, state->view);
    if (for_reads.component != for_writes.component) {
        state->writer = for_writes.component->make(*context_, state->view);
    }
    note("fcoll (reads)", for_reads.component->name, for_reads.reason);
    note("fcoll (writes)", for_writes.component->name, for_writes.reason);
    return state;
}

fcoll::CollectiveAccess& File::collective_access(Direction direction) const {
    if (direction == Direction::write && view_->writer) return *view_->writer;
    return *view_->reader;
}

Status File::set_hints(const std::vector<hints::Given>& info, Status precondition) {
    if (precondition.ok()) hints_.set(info, "info", hints::Changes::any_time);
    SHEAF_CHECK(in_context(coord::agree(*communicator_, std::move(precondition))));
    return adopt_hints();
}

}  // namespace sheaf
