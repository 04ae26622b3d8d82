// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "oracle.h"
#include "random.h"
#include "step.h"
#include "view_random.h"

namespace model {

/// What programs may contain beyond the basic set.
struct Features {
    bool nonblocking = false;
    bool split = false;
    bool hints = true;
    bool errors = true;
    bool large = false;            ///< Files of megabytes only.
    bool plain_types = false;      ///< Only types that every known implementation gets right.
    bool holes_undefined = false;  ///< Holes that writes leave may hold anything.
    bool preallocate_needs_read = false;  ///< Files open for writing only are not preallocated.
    std::vector<std::string> fcoll;       ///< Values of the hint sheaf_fcoll to choose from.
};

/// Makes one random program, step by step, together with what each step must yield.
///
/// Every rank makes the same program from the same seed; only the bytes kept in an Action are those
/// of rank `me`. The program is legal MPI whose result is determined: ranks write the same bytes
/// only with equal values, and sync-barrier-sync stands between conflicting accesses. Nothing here
/// depends on what an MPI library did, so ranks stay in step whatever goes wrong.
class Generator {
public:
    Generator(std::uint64_t seed, int ranks, int me, const Features& features, int max_steps);

    /// The next step, or nothing at the end. Its results are already part of the state below.
    std::optional<Step> next();

    /// The file as it must be after the steps so far.
    [[nodiscard]] const FileImage& file() const { return file_; }
    [[nodiscard]] bool file_exists() const { return exists_; }
    [[nodiscard]] const View& view(int rank) const { return state(rank).view; }

private:
    struct RankState {
        View view;
        std::int64_t position = 0;
    };

    RankState& state(int rank) { return states_[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] const RankState& state(int rank) const {
        return states_[static_cast<std::size_t>(rank)];
    }

    void push(Step step) { queue_.push_back(std::move(step)); }
    void make_steps();
    void open();
    void close();
    void set_view();
    void seek();
    void byte_offset();
    void get_size();
    void set_size();
    void preallocate();
    void make_visible();
    void observe_size();
    void refused_access();
    void add_hints(Step& step);

    void access();
    Step access_step();
    Action propose(const Step& step, int rank, bool reads);
    void place(Step& step);
    void fit(Action& action, const View& view) const;
    void resolve(Step& step);
    bool meets_growth(const Action& action) const;
    void evaluate_read(const Step& step, int rank, Action& action);
    void evaluate_write(const Step& step, int rank, Action& action);

    Random random_;
    int ranks_;
    int me_;
    const Features& features_;
    int steps_left_;
    Scale scale_;

    std::deque<Step> queue_;
    FileImage file_;
    bool exists_ = false;
    bool open_ = false;
    bool finished_ = false;
    OpenMode mode_;
    std::vector<RankState> states_;
    Conflicts conflicts_;
    std::int64_t visible_size_ = 0;  ///< File size when writes were last made visible.
    bool size_observed_ = false;     ///< A result since then depends on the size.
};

}  // namespace model
