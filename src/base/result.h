// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Result<T>: a value, or the Status that says why there is none.

#include <optional>
#include <utility>

#include "base/assert.h"
#include "base/status.h"

namespace sheaf {

/// Either a T or a failed Status. The names follow std::expected. Thread-compatible.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : value_(std::move(value)) {}         // NOLINT: a value is a result.
    Result(Status status) : status_(std::move(status)) {  // NOLINT: so is a failure.
        SHEAF_ASSERT(!status_.ok());
    }

    [[nodiscard]] bool ok() const { return value_.has_value(); }
    [[nodiscard]] T& value() & { return SHEAF_ASSERT(ok()), *value_; }
    [[nodiscard]] const T& value() const& { return SHEAF_ASSERT(ok()), *value_; }
    [[nodiscard]] T&& value() && { return SHEAF_ASSERT(ok()), std::move(*value_); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    /// OK when there is a value.
    [[nodiscard]] const Status& status() const& { return status_; }
    [[nodiscard]] Status status() && { return std::move(status_); }

private:
    std::optional<T> value_;
    Status status_;
};

namespace detail {
inline Status take_status(Status& status) {
    return std::move(status);
}
template <class T>
Status take_status(Result<T>& result) {
    return std::move(result).status();
}
}  // namespace detail

}  // namespace sheaf

#define SHEAF_JOIN_(a, b) a##b
#define SHEAF_JOIN(a, b) SHEAF_JOIN_(a, b)

/// Evaluates a Result; returns its Status on failure, else declares `declaration` from its value:
/// `SHEAF_TRY(auto size, file.size());`. Not for use inside an unbraced if.
#define SHEAF_TRY(declaration, ...) \
    SHEAF_TRY_(SHEAF_JOIN(sheaf_try_, __LINE__), declaration, __VA_ARGS__)
#define SHEAF_TRY_(temporary, declaration, ...)                          \
    auto temporary = (__VA_ARGS__);                                      \
    if (!temporary.ok()) return ::sheaf::detail::take_status(temporary); \
    declaration = std::move(temporary).value()

/// Evaluates a Status; returns it when it is a failure: `SHEAF_CHECK(file.sync());`.
#define SHEAF_CHECK(...)                                                            \
    do {                                                                            \
        if (::sheaf::Status checked = (__VA_ARGS__); !checked.ok()) return checked; \
    } while (false)
