// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// From Code to MPI error class, and the text that MPI_Error_string gives for it.

#include <string>
#include <string_view>

#include "base/status.h"

namespace sheaf::abi {

/// The predefined MPI error class of a failure. Classes are valid codes everywhere.
[[nodiscard]] int error_class_of(Code code);

/// The class's name ("MPI_ERR_NO_SPACE").
[[nodiscard]] std::string_view class_name_of(Code code);

/// Keeps the text of the failure that the calling thread is about to return as `code`; returns it.
std::string remember_error(int code, const Status& status);

/// The text for `code` if it is what this thread's latest failure returned; empty otherwise.
[[nodiscard]] std::string_view remembered_error(int code);

/// `text` cut to `most` bytes; where it must be cut, the beginning of the path goes first.
[[nodiscard]] std::string fit_error_text(std::string_view text, std::size_t most);

}  // namespace sheaf::abi
