// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Checked: 64-bit arithmetic on sizes that users give.

#include <cstdint>

namespace sheaf::view {

/// A 64-bit number that remembers whether any step of its calculation overflowed.
class Checked {
public:
    constexpr Checked(std::int64_t value) : value_(value) {}  // NOLINT: numbers are operands.

    friend constexpr Checked operator+(Checked a, Checked b) {
        Checked sum{0};
        sum.bad_ = __builtin_add_overflow(a.value_, b.value_, &sum.value_) || a.bad_ || b.bad_;
        return sum;
    }
    friend constexpr Checked operator-(Checked a, Checked b) {
        Checked difference{0};
        difference.bad_ =
            __builtin_sub_overflow(a.value_, b.value_, &difference.value_) || a.bad_ || b.bad_;
        return difference;
    }
    friend constexpr Checked operator*(Checked a, Checked b) {
        Checked product{0};
        product.bad_ =
            __builtin_mul_overflow(a.value_, b.value_, &product.value_) || a.bad_ || b.bad_;
        return product;
    }

    [[nodiscard]] constexpr bool ok() const { return !bad_; }
    /// Meaningless unless ok().
    [[nodiscard]] constexpr std::int64_t value() const { return value_; }

private:
    std::int64_t value_;
    bool bad_ = false;
};

}  // namespace sheaf::view
