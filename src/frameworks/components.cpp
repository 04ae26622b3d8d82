// SPDX-License-Identifier: BSD-3-Clause
#include "frameworks/components.h"

#include <array>

namespace sheaf {

// A list and not static constructors: those vanish from static libraries and run in unknown order.

std::span<const fs::Component* const> fs::components() {
    static constexpr std::array<const Component*, 2> kTable{&kPosix, &kMemory};
    return kTable;
}

std::span<const fbtl::Component* const> fbtl::components() {
    static constexpr std::array<const Component*, 1> kTable{&kPosix};
    return kTable;
}

std::span<const fcoll::Component* const> fcoll::components() {
    static constexpr std::array<const Component*, 2> kTable{&kIndividual, &kTwoPhase};
    return kTable;
}

}  // namespace sheaf
