// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace model {

/// A stream of numbers that is the same on every rank, compiler and machine.
///
/// The distributions of the standard library are free to differ between libraries; a seed that is
/// printed by one build must rerun the same program in another. Thread-compatible.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_{seed} {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
        return mixed ^ (mixed >> 31U);
    }

    /// A number of [0, bound); bound must be positive.
    std::int64_t below(std::int64_t bound) {
        return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(bound));
    }

    /// A number of [first, last], both included.
    std::int64_t between(std::int64_t first, std::int64_t last) {
        return first + below(last - first + 1);
    }

    /// As between(), for the arguments of MPI that are plain ints.
    int number(int first, int last) { return static_cast<int>(between(first, last)); }

    bool chance(int percent) { return below(100) < percent; }

    template <class T>
    T pick(std::initializer_list<T> choices) {
        return *(choices.begin() + below(static_cast<std::int64_t>(choices.size())));
    }

    template <class T>
    const T& pick(const std::vector<T>& choices) {
        return choices[static_cast<std::size_t>(below(static_cast<std::int64_t>(choices.size())))];
    }

    template <class T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t left = items.size(); left > 1; --left) {
            const auto other = static_cast<std::size_t>(below(static_cast<std::int64_t>(left)));
            std::swap(items[left - 1], items[other]);
        }
    }

private:
    std::uint64_t state_;
};

/// The byte that `salt` assigns to place `index`: what tells one write from another.
inline std::uint8_t tag_byte(std::uint64_t salt, std::int64_t index) {
    std::uint64_t mixed = (salt + static_cast<std::uint64_t>(index)) * 0x9e3779b97f4a7c15U;
    mixed ^= mixed >> 29U;
    mixed *= 0xbf58476d1ce4e5b9U;
    return static_cast<std::uint8_t>(mixed >> 56U);
}

}  // namespace model
