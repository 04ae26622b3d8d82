// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// UniqueHandle: the one owner of a C handle. Every wrapper of one uses it with `= default` moves.

#include <utility>

namespace sheaf {

/// Owns a handle described by `Traits`, which supplies `Type`, `null()` and `release(Type)`.
/// Thread-compatible.
template <class Traits>
class UniqueHandle {
public:
    using Type = typename Traits::Type;

    UniqueHandle() = default;
    /// Takes ownership of `handle`.
    explicit UniqueHandle(Type handle) : handle_(handle) {}
    UniqueHandle(UniqueHandle&& other) noexcept : handle_(other.release()) {}
    UniqueHandle& operator=(UniqueHandle&& other) noexcept {
        if (this != &other) reset(other.release());
        return *this;
    }
    UniqueHandle(const UniqueHandle&) = delete;
    UniqueHandle& operator=(const UniqueHandle&) = delete;
    ~UniqueHandle() { reset(Traits::null()); }

    [[nodiscard]] Type get() const { return handle_; }
    [[nodiscard]] bool valid() const { return handle_ != Traits::null(); }
    /// Gives the handle up without releasing it.
    [[nodiscard]] Type release() { return std::exchange(handle_, Traits::null()); }
    void reset(Type handle) {
        const Type old = std::exchange(handle_, handle);
        if (old != Traits::null()) Traits::release(old);
    }

private:
    Type handle_ = Traits::null();
};

}  // namespace sheaf
