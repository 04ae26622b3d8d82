// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Status: what became of an operation, and the text that says so.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sheaf {

/// What went wrong, in the words of the MPI I/O chapter where it has them. `abi/error_map.cpp`
/// maps each to an MPI error class. The order is fixed: codes travel between ranks.
enum class Code : std::uint8_t {
    ok,
    access,                 // No permission.
    amode,                  // Access mode illegal.
    argument,               // An argument is invalid.
    bad_file,               // File name invalid: too long, a directory in the way.
    bad_handle,             // Not an open file.
    conversion,             // A user's conversion function failed.
    count,                  // A count is negative.
    datarep_exists,         // This data representation is registered already.
    datatype,               // Datatype invalid.
    disk_quota,             // Quota exceeded.
    file_exists,            // The file exists.
    file_in_use,            // The file is open.
    info,                   // Info object invalid.
    internal,               // Our mistake, or a failure that no other code names.
    io,                     // Any other I/O failure.
    no_memory,              // Out of memory.
    no_space,               // Not enough space.
    no_such_file,           // The file does not exist.
    not_same,               // A collective argument differs among ranks.
    read_only,              // Read-only file or file system.
    unsupported_datarep,    // Data representation unknown.
    unsupported_operation,  // Not built yet, or not on this storage.
    overflow,               // A size exceeds what the types can hold.
};

inline constexpr int kCodeCount = static_cast<int>(Code::overflow) + 1;

/// The enumerator's name ("no_space").
[[nodiscard]] std::string_view name_of(Code code);

/// The result of an operation that can fail. OK costs one null pointer; a failure carries its code
/// and a text that was made where the failure was seen: operation, path, byte range, rank, cause.
/// Thread-compatible.
class [[nodiscard]] Status {
public:
    Status() = default;
    /// Requires: code != Code::ok.
    Status(Code code, std::string text, int system_error = 0);

    Status(const Status& other);
    Status& operator=(const Status& other);
    Status(Status&&) noexcept = default;
    Status& operator=(Status&&) noexcept = default;
    ~Status() = default;

    [[nodiscard]] bool ok() const { return failure_ == nullptr; }
    [[nodiscard]] Code code() const { return failure_ ? failure_->code : Code::ok; }
    /// The errno behind the failure, 0 where there is none.
    [[nodiscard]] int system_error() const { return failure_ ? failure_->system_error : 0; }
    /// Empty when ok.
    [[nodiscard]] std::string_view text() const {
        return failure_ ? std::string_view{failure_->text} : std::string_view{};
    }
    /// The same failure with `phrase` and ": " put in front of its text; OK stays OK.
    Status with_context(std::string_view phrase) &&;
    /// Keeps the first failure: takes `other` only when this is OK.
    void update(Status other);

private:
    struct Failure {
        Code code;
        int system_error;
        std::string text;
    };
    std::unique_ptr<Failure> failure_;
};

}  // namespace sheaf
