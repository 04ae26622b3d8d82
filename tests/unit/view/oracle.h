// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What layouts must mean, said the naive way: one offset per data byte.

#include <rapidcheck.h>

#include <cstdint>
#include <random>
#include <vector>

#include "view/cursor.h"
#include "view/layout.h"

namespace sheaf::view::testing {

using Offsets = std::vector<std::int64_t>;

/// A layout, and the offset of each of its data bytes in typemap order.
struct Sample {
    Layout layout;
    Offsets bytes;
};

/// Random numbers for samples; equal seeds give equal samples.
class Draw {
public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}
    /// Uniform in [low, high].
    std::int64_t in(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>{low, high}(engine_);
    }
    bool one_in(std::int64_t n) { return in(1, n) == 1; }

private:
    std::mt19937_64 engine_;
};

/// Checks a property of random numbers for 2000 seeds; rapidcheck prints a failing one.
template <class Property>
[[nodiscard]] bool holds(Property property) {
    constexpr std::uint64_t kDraws = 20;
    return rc::check([&](std::uint64_t seed) {
        for (std::uint64_t i = 0; i < kDraws; ++i) {
            Draw draw{seed * kDraws + i};
            property(draw);
        }
    });
}

/// At most `kMostBytes` data bytes, nested up to `levels`; any order, overlap, sign.
inline constexpr std::int64_t kMostBytes = 3000;
[[nodiscard]] Sample any_sample(Draw& draw, int levels);

/// Displacements not negative, ascending, no overlap: fit for a file view.
[[nodiscard]] Sample file_sample(Draw& draw, int levels);

/// `count` copies of `bytes`, `stride` apart.
[[nodiscard]] Offsets tiled(const Offsets& bytes, std::int64_t count, std::int64_t stride);

/// The bytes that a cursor visits, piece by piece.
[[nodiscard]] Offsets walk_pieces(Cursor cursor);

/// The same, run by run.
[[nodiscard]] Offsets walk_runs(Cursor cursor);

/// The data of a walk over a layout whose offsets are `bytes`, from `begin` to `end`.
[[nodiscard]] Offsets slice(const Offsets& bytes, std::int64_t begin, std::int64_t end);

}  // namespace sheaf::view::testing
