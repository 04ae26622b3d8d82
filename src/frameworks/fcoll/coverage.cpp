// SPDX-License-Identifier: BSD-3-Clause
#include "frameworks/fcoll/coverage.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"

namespace sheaf::fcoll {

namespace {

constexpr std::int64_t kBits = 64;
constexpr std::uint64_t kAll = ~std::uint64_t{0};

std::size_t word_of(std::int64_t bit) {
    return static_cast<std::size_t>(bit / kBits);
}

/// Bits `begin` and above of a word.
std::uint64_t from_bit(std::int64_t begin) {
    return kAll << (begin % kBits);
}
/// Bits below `end` of the word that holds bit end - 1.
std::uint64_t below_bit(std::int64_t end) {
    return kAll >> ((kBits - end % kBits) % kBits);
}

}  // namespace

void Coverage::reset(ByteRange window) {
    window_ = window;
    bounds_ = {window.begin, window.begin};
    size_ = window.size().value;
    bits_.assign(word_of(size_ + kBits - 1), 0);
}

void Coverage::add(view::Cursor pieces) {
    while (!pieces.at_end()) {
        const view::StridedRun run = pieces.strided_run();
        std::int64_t begin = (run.first - window_.begin).value;
        for (std::int64_t i = 0; i < run.count; ++i, begin += run.stride) {
            cover(begin, begin + run.length.value);
        }
        const ByteOffset last = run.first + ByteCount{run.stride * (run.count - 1)};
        bounds_ = hull(bounds_, {run.first, last + run.length});
        pieces.advance(run.size());
    }
}

void Coverage::cover(std::int64_t begin, std::int64_t end) {
    SHEAF_ASSERT(0 <= begin && begin < end && end <= size_);
    const std::size_t first = word_of(begin);
    const std::size_t last = word_of(end - 1);
    if (first == last) {
        bits_[first] |= from_bit(begin) & below_bit(end);
        return;
    }
    bits_[first] |= from_bit(begin);
    std::fill(bits_.begin() + static_cast<std::ptrdiff_t>(first) + 1,
              bits_.begin() + static_cast<std::ptrdiff_t>(last), kAll);
    bits_[last] |= below_bit(end);
}

std::int64_t Coverage::find(std::int64_t from, bool set) const {
    if (from >= size_) return size_;
    std::size_t word = word_of(from);
    std::uint64_t bits = (set ? bits_[word] : ~bits_[word]) & from_bit(from);
    while (bits == 0 && ++word < bits_.size()) bits = set ? bits_[word] : ~bits_[word];
    if (bits == 0) return size_;
    return std::min(size_, static_cast<std::int64_t>(word) * kBits + std::countr_zero(bits));
}

std::vector<ByteRange> Coverage::runs(ByteCount largest_gap) const {
    std::vector<ByteRange> found;
    for (std::int64_t begin = find(0, true); begin < size_;) {
        const std::int64_t end = find(begin, false);
        const ByteRange run{window_.begin + ByteCount{begin}, window_.begin + ByteCount{end}};
        if (!found.empty() && run.begin - found.back().end <= largest_gap) {
            found.back().end = run.end;
        } else {
            found.push_back(run);
        }
        begin = find(end, true);
    }
    return found;
}

ByteRange Coverage::holes() const {
    if (bounds_.empty()) return {};
    const std::int64_t begin = (bounds_.begin - window_.begin).value;
    const std::int64_t end = (bounds_.end - window_.begin).value;
    const std::int64_t first = find(begin, false);
    if (first >= end) return {};
    std::int64_t last = end;
    // Backwards byte by byte over the covered tail: at most one word is walked per step.
    while (last > first && find(last - 1, true) == last - 1) {
        const std::size_t word = word_of(last - 1);
        last = bits_[word] == kAll ? static_cast<std::int64_t>(word) * kBits : last - 1;
    }
    return {window_.begin + ByteCount{first}, window_.begin + ByteCount{last}};
}

}  // namespace sheaf::fcoll
