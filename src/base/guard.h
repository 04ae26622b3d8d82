// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// guard(): where C calls us. The only catch blocks of the library stand here.

#include <exception>
#include <new>
#include <utility>

#include "base/status.h"

namespace sheaf {

/// Runs `body`, which returns a Status, and hands the outcome to `report`, which turns it into what
/// the C caller expects. Exceptions of the standard library become a Status first.
template <class Report, class Body>
auto guard(Report&& report, Body&& body) noexcept {
    try {
        return report(std::forward<Body>(body)());
    } catch (const std::bad_alloc&) {
        return report(Status{Code::no_memory, "out of memory"});
    } catch (const std::exception& error) {
        return report(Status{Code::internal, error.what()});
    }
}

}  // namespace sheaf
