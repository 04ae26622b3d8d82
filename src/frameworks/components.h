// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The built-in components: one explicit list per framework, in components.cpp.

#include <span>

#include "contracts/fbtl.h"
#include "contracts/fcoll.h"
#include "contracts/fs.h"

namespace sheaf {

namespace fs {
[[nodiscard]] std::span<const Component* const> components();
extern const Component kPosix;
extern const Component kMemory;
}  // namespace fs

namespace fbtl {
[[nodiscard]] std::span<const Component* const> components();
extern const Component kPosix;
}  // namespace fbtl

namespace fcoll {
[[nodiscard]] std::span<const Component* const> components();
extern const Component kIndividual;
extern const Component kTwoPhase;
}  // namespace fcoll

}  // namespace sheaf
