// SPDX-License-Identifier: BSD-3-Clause

/// Component fcoll/two_phase: ranks exchange data so that few of them do large contiguous I/O.
///
/// plan -> (exchange -> access) per round; for reads access comes first. Layouts travel, once per
/// view; offset lists never: each rank and each aggregator finds the data of a window by seeking in
/// the layouts. See docs/design/two-phase.md.

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "base/assert.h"
#include "coord/agreement.h"
#include "frameworks/components.h"
#include "frameworks/fcoll/coverage.h"
#include "frameworks/fcoll/piece_rule.h"
#include "frameworks/fcoll/plan.h"
#include "frameworks/fcoll/window_buffer.h"
#include "trace/ring.h"
#include "transfer/independent.h"
#include "view/cursor.h"
#include "view/pack.h"

namespace sheaf::fcoll {

namespace {

// All ranks together: where the views cost more than this to ship, each rank goes to the file.
constexpr std::int64_t kMostLayoutBytes = 64 << 20;

// Messages of a round fit the int counts of MPI.
constexpr std::int64_t kLargestRound = 1 << 30;

/// A contiguous range of one rank's data: positions in its view.
struct DataRange {
    ByteCount begin;
    ByteCount end;
    [[nodiscard]] ByteCount size() const { return end - begin; }
};

/// The data of `part` that lies in `window`.
DataRange data_in(const view::Layout& layout, const Part& part, ByteRange window) {
    const ByteRange common = intersect(part.range, window);
    if (part.count.zero() || common.empty()) return {};
    const ByteCount part_end = part.first + part.count;
    const ByteCount begin =
        std::clamp(view::data_before(layout, window.begin), part.first, part_end);
    const ByteCount end = std::clamp(view::data_before(layout, window.end), part.first, part_end);
    SHEAF_ASSERT(begin <= end);
    return {begin, end};
}

/// The user's memory, by position of the data in the request.
class UserMemory {
public:
    UserMemory(const Memory& memory, ByteCount first)
        : memory_(memory), first_(first), contiguous_(memory.layout.contiguous()) {}

    /// The bytes themselves where they lie together, else null.
    [[nodiscard]] std::byte* direct(DataRange data) const {
        if (!contiguous_) return nullptr;
        return view::address(memory_.base, memory_.layout.origin() + (data.begin - first_));
    }
    [[nodiscard]] view::Cursor cursor(DataRange data) const {
        return {memory_.layout, data.begin - first_, data.end - first_};
    }
    void gather(DataRange data, std::span<std::byte> out) const {
        view::Cursor from = cursor(data);
        view::gather(memory_.base, from, out);
    }
    void scatter(DataRange data, std::span<const std::byte> in) const {
        view::Cursor to = cursor({data.begin, data.begin + ByteCount{std::ssize(in)}});
        view::scatter(memory_.base, to, in);
    }

private:
    const Memory& memory_;
    ByteCount first_;
    bool contiguous_;
};

/// Buffers of one round's messages; capacity is kept from round to round.
class Staging {
public:
    void clear() { used_ = 0; }
    /// Makes room for `total` bytes: take() hands them out without moving what was taken before.
    void reserve(ByteCount total) {
        if (std::ssize(bytes_) < total.value) bytes_.resize(static_cast<std::size_t>(total.value));
    }
    std::span<std::byte> take(ByteCount size) {
        const auto length = static_cast<std::size_t>(size.value);
        SHEAF_ASSERT(used_ + length <= bytes_.size());
        const std::span<std::byte> part(bytes_.data() + used_, length);
        used_ += length;
        return part;
    }

private:
    std::vector<std::byte> bytes_;
    std::size_t used_ = 0;
};

class TwoPhase final : public CollectiveAccess {
public:
    TwoPhase(const FileContext& file, const view::FileView& view)
        : file_(file), view_(view), buffer_(file) {}

    /// Agreement points: the layouts (first call on a view), the parts, the end.
    fbtl::Transferred transfer(const AccessRequest& request) override {
        Status mine = request.precondition;
        mine.update(share_layouts());
        if (!exchangeable_) return go_alone(request, std::move(mine));
        Part part = part_of(request, mine);
        mine.update(share_parts(part));
        const Plan plan = make_plan(parts_, limits());
        trace::record(trace::Event::plan, plan.range.begin.value, plan.range.end.value,
                      plan.rounds);
        std::array<std::int64_t, 1> file_end{std::numeric_limits<std::int64_t>::max()};
        const UserMemory memory(request.memory, request.first);
        for (std::int64_t round = 0; round < plan.rounds; ++round) {
            trace::record(trace::Event::round, round, plan.rounds);
            if (request.direction == Direction::write) {
                mine.update(write_round(plan, round, memory));
            } else {
                mine.update(read_round(plan, round, memory, file_end[0]));
            }
        }
        const Status verdict = coord::agree(file_.communicator, std::move(mine), file_end);
        if (!verdict.ok()) return {{}, verdict};
        return {moved_before(part, {file_end[0]}), {}};
    }

private:
    [[nodiscard]] const Part& my_part() const {
        return parts_[static_cast<std::size_t>(file_.communicator.rank().value)];
    }
    [[nodiscard]] const view::Layout& layout_of(std::size_t rank) const { return layouts_[rank]; }

    Status share_layouts();
    Status share_parts(const Part& mine);
    Part part_of(const AccessRequest& request, Status& status) const;
    fbtl::Transferred go_alone(const AccessRequest& request, Status mine);
    [[nodiscard]] PlanLimits limits() const;
    [[nodiscard]] ByteCount moved_before(const Part& part, ByteOffset file_end) const;

    Status write_round(const Plan& plan, std::int64_t round, const UserMemory& memory);
    Status read_round(const Plan& plan, std::int64_t round, const UserMemory& memory,
                      std::int64_t& file_end);

    /// What I aggregate in this round, and what each rank has in it.
    void enter_window(const Plan& plan, std::int64_t round);
    void find_my_data(const Plan& plan, std::int64_t round);
    void post_my_data(const Plan& plan, const UserMemory& memory);
    void accept_all(const UserMemory& memory);
    void accept(const view::Layout& layout, DataRange data, std::span<const std::byte> bytes);
    void post_replies();
    void expect_my_data(const Plan& plan, const UserMemory& memory);
    Status run_exchange();

    const FileContext& file_;
    const view::FileView& view_;
    std::vector<view::Layout> layouts_;  // Of all ranks, file offsets; empty until shared.
    bool exchangeable_ = true;
    std::vector<Part> parts_;

    Coverage coverage_;
    WindowBuffer buffer_;
    std::vector<DataRange> in_window_;  // By rank: its data in my window.
    std::vector<DataRange> mine_in_;    // By aggregator: my data in its window.
    std::vector<std::byte> own_share_;
    Staging send_staging_;
    Staging receive_staging_;
    std::vector<mpi::Outgoing> outgoing_;
    std::vector<mpi::Incoming> incoming_;
    std::vector<DataRange> expected_;  // By incoming message, for reads.
};

Status TwoPhase::share_layouts() {
    if (!layouts_.empty()) return {};
    std::vector<std::byte> mine = view::serialise(view_.tiles());
    const std::int64_t ranks = file_.communicator.size();
    if (std::ssize(mine) > kMostLayoutBytes / ranks) mine.clear();
    std::vector<std::vector<std::byte>> all;
    SHEAF_CHECK(mpi::all_gather_blocks(file_.communicator, mine, all));
    layouts_.resize(all.size());
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        auto layout =
            all[rank].empty() ? Result<view::Layout>(view::Layout{}) : view::deserialise(all[rank]);
        // A rank that sent nothing had a view too large to ship; overlapping data cannot be cut at
        // window borders. Both are known to all ranks alike.
        exchangeable_ =
            exchangeable_ && !all[rank].empty() && layout.ok() && !layout->may_overlap();
        if (layout.ok()) layouts_[rank] = std::move(layout).value();
    }
    return {};
}

Part TwoPhase::part_of(const AccessRequest& request, Status& status) const {
    if (!status.ok()) return {};
    const ByteCount count = request.memory.layout.size();
    auto range = view_.range_of(request.first, count);
    if (!range.ok()) {
        status = std::move(range).status();
        return {};
    }
    return {request.first, count, *range};
}

Status TwoPhase::share_parts(const Part& mine) {
    parts_.resize(static_cast<std::size_t>(file_.communicator.size()));
    return file_.communicator.all_gather(std::as_bytes(std::span(&mine, 1)),
                                         std::as_writable_bytes(std::span(parts_)));
}

fbtl::Transferred TwoPhase::go_alone(const AccessRequest& request, Status mine) {
    fbtl::Transferred moved{{}, std::move(mine)};
    if (moved.status.ok()) moved = transfer::independent(file_, view_, request);
    moved.status = coord::agree(file_.communicator, std::move(moved.status));
    return moved;
}

PlanLimits TwoPhase::limits() const {
    PlanLimits limits;
    limits.ranks = file_.communicator.size();
    const std::int64_t nodes = std::max(1, limits.ranks / std::max(1, file_.ranks_here));
    const std::int64_t hinted = file_.hints.number("cb_nodes");
    const std::int64_t natural = nodes * std::min(file_.ranks_here, file_.cores_here);
    limits.aggregators =
        static_cast<int>(std::clamp<std::int64_t>(hinted > 0 ? hinted : natural, 1, limits.ranks));
    const std::int64_t stripe = file_.hints.number("striping_unit");
    limits.alignment =
        stripe > 0 ? ByteCount{stripe} : std::max(file_.facts.stripe_size, file_.facts.block_size);
    limits.round = {
        std::clamp<std::int64_t>(file_.hints.number("cb_buffer_size"), 1, kLargestRound)};
    return limits;
}

ByteCount TwoPhase::moved_before(const Part& part, ByteOffset file_end) const {
    if (part.range.end <= file_end) return part.count;
    const ByteCount before = view::data_before(view_.tiles(), file_end);
    return std::clamp(before - part.first, ByteCount{}, part.count);
}

void TwoPhase::enter_window(const Plan& plan, std::int64_t round) {
    in_window_.assign(parts_.size(), {});
    outgoing_.clear();
    incoming_.clear();
    expected_.clear();
    send_staging_.clear();
    receive_staging_.clear();
    const int index = plan.index_of(file_.communicator.rank());
    const ByteRange window =
        index < 0 ? ByteRange{} : plan.window(static_cast<std::size_t>(index), round);
    coverage_.reset(window);
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
        const DataRange data = in_window_[rank] = data_in(layout_of(rank), parts_[rank], window);
        if (!data.size().zero()) coverage_.add(view::Cursor(layout_of(rank), data.begin, data.end));
    }
    buffer_.start(coverage_);
    find_my_data(plan, round);
}

Status TwoPhase::run_exchange() {
    trace::record(trace::Event::exchange, std::ssize(outgoing_) + std::ssize(incoming_));
    return file_.communicator.exchange(outgoing_, incoming_);
}

/// Finds what I have in each aggregator's window of this round.
void TwoPhase::find_my_data(const Plan& plan, std::int64_t round) {
    const auto me = static_cast<std::size_t>(file_.communicator.rank().value);
    mine_in_.clear();
    for (std::size_t i = 0; i < plan.aggregators.size(); ++i) {
        mine_in_.push_back(data_in(layout_of(me), my_part(), plan.window(i, round)));
    }
}

/// Sends what I have in the windows of the others; my own share goes straight into my window.
void TwoPhase::post_my_data(const Plan& plan, const UserMemory& memory) {
    const Rank me = file_.communicator.rank();
    ByteCount packed;
    for (std::size_t i = 0; i < mine_in_.size(); ++i) {
        if (plan.aggregators[i] != me && memory.direct(mine_in_[i]) == nullptr)
            packed += mine_in_[i].size();
    }
    send_staging_.reserve(packed);
    for (std::size_t i = 0; i < mine_in_.size(); ++i) {
        const DataRange data = mine_in_[i];
        if (data.size().zero() || plan.aggregators[i] == me) continue;
        const std::byte* direct = memory.direct(data);
        std::span<const std::byte> bytes(direct, static_cast<std::size_t>(data.size().value));
        if (direct == nullptr) {
            const std::span<std::byte> room = send_staging_.take(data.size());
            memory.gather(data, room);
            bytes = room;
        }
        outgoing_.push_back({plan.aggregators[i], bytes});
    }
}

/// Puts one rank's data where they belong in my window.
void TwoPhase::accept(const view::Layout& layout, DataRange data,
                      std::span<const std::byte> bytes) {
    const ByteOffset origin = coverage_.bounds().begin;
    auto shifted = view::shifted({-origin.value}, layout);
    SHEAF_ASSERT(shifted.ok());
    view::Cursor to(std::move(shifted).value(), data.begin, data.end);
    view::scatter(buffer_.at(origin), to, bytes);
}

/// Puts what came in, and my own share, into my window: in rank order, so that where ranks overlap
/// the highest one's bytes stay.
void TwoPhase::accept_all(const UserMemory& memory) {
    auto message = incoming_.begin();
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
        const DataRange data = in_window_[rank];
        if (data.size().zero()) continue;
        if (Rank{static_cast<int>(rank)} != file_.communicator.rank()) {
            accept(layout_of(rank), data, (message++)->room);
        } else if (const std::byte* direct = memory.direct(data)) {
            accept(layout_of(rank), data, {direct, static_cast<std::size_t>(data.size().value)});
        } else {
            own_share_.resize(static_cast<std::size_t>(data.size().value));
            memory.gather(data, own_share_);
            accept(layout_of(rank), data, own_share_);
        }
    }
}

Status TwoPhase::write_round(const Plan& plan, std::int64_t round, const UserMemory& memory) {
    const Rank me = file_.communicator.rank();
    enter_window(plan, round);
    post_my_data(plan, memory);
    ByteCount from_others;
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
        if (Rank{static_cast<int>(rank)} != me) from_others += in_window_[rank].size();
    }
    receive_staging_.reserve(from_others);
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
        const ByteCount size = in_window_[rank].size();
        const Rank peer{static_cast<int>(rank)};
        if (!size.zero() && peer != me)
            incoming_.push_back({peer, receive_staging_.take(size), {}});
    }
    Status status = run_exchange();
    if (!status.ok() || coverage_.bounds().empty()) return status;
    SHEAF_CHECK(buffer_.prepare_write(coverage_));
    accept_all(memory);
    return buffer_.write(coverage_);
}

/// Sends every rank the valid part of what it wants from my window.
void TwoPhase::post_replies() {
    ByteCount total;
    for (const DataRange data : in_window_) total += data.size();
    send_staging_.reserve(total);
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
        DataRange data = in_window_[rank];
        if (data.size().zero()) continue;
        const ByteCount valid = view::data_before(layout_of(rank), buffer_.valid_end());
        data.end = std::clamp(valid, data.begin, data.end);
        const ByteOffset origin = coverage_.bounds().begin;
        auto shifted = view::shifted({-origin.value}, layout_of(rank));
        SHEAF_ASSERT(shifted.ok());
        view::Cursor from(std::move(shifted).value(), data.begin, data.end);
        const std::span<std::byte> packed = send_staging_.take(data.size());
        view::gather(buffer_.at(origin), from, packed);
        outgoing_.push_back({Rank{static_cast<int>(rank)}, packed});
    }
}

/// Makes room for what I want from everybody's windows: in my memory where it lies together.
void TwoPhase::expect_my_data(const Plan& plan, const UserMemory& memory) {
    ByteCount unpacked;
    for (const DataRange data : mine_in_) {
        if (memory.direct(data) == nullptr) unpacked += data.size();
    }
    receive_staging_.reserve(unpacked);
    for (std::size_t i = 0; i < mine_in_.size(); ++i) {
        const DataRange data = mine_in_[i];
        if (data.size().zero()) continue;
        std::byte* direct = memory.direct(data);
        const auto room = direct != nullptr
                              ? std::span(direct, static_cast<std::size_t>(data.size().value))
                              : receive_staging_.take(data.size());
        incoming_.push_back({plan.aggregators[i], room, {}});
        expected_.push_back(data);
    }
}

Status TwoPhase::read_round(const Plan& plan, std::int64_t round, const UserMemory& memory,
                            std::int64_t& file_end) {
    enter_window(plan, round);
    Status status;
    if (!coverage_.bounds().empty()) {
        status = buffer_.fill(coverage_);
        const bool all = buffer_.valid_end() == coverage_.bounds().end;
        if (!all) file_end = std::min(file_end, buffer_.valid_end().value);
    }
    post_replies();
    expect_my_data(plan, memory);
    SHEAF_CHECK(run_exchange());
    for (std::size_t i = 0; i < incoming_.size(); ++i) {
        if (memory.direct(expected_[i]) != nullptr) continue;
        memory.scatter(expected_[i], incoming_[i].room.first(
                                         static_cast<std::size_t>(incoming_[i].received.value)));
    }
    return status;
}

Bid bid(const Candidate& candidate) {
    if (candidate.file.communicator.size() == 1) return {0, "one rank has nobody to exchange with"};
    const Bid direct = direct_access_bid(candidate);
    const bool better = direct.priority < 50;
    return {better ? 50 : 40, better ? "few large transfers: " + direct.reason
                                     : "direct access is cheaper: " + direct.reason};
}

std::unique_ptr<CollectiveAccess> make(const FileContext& file, const view::FileView& view) {
    return std::make_unique<TwoPhase>(file, view);
}

}  // namespace

const Component kTwoPhase{"two_phase", "ranks exchange data, few of them do large I/O", bid, make};

}  // namespace sheaf::fcoll
