// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The components that a conformance program is instantiated over: all built-in ones, and the
/// template.

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

namespace sheaf::testing {

template <class Component>
std::vector<const Component*> with_template(std::span<const Component* const> built_in,
                                            const Component& to_be_copied) {
    std::vector<const Component*> all(built_in.begin(), built_in.end());
    all.push_back(&to_be_copied);
    return all;
}

/// The name of a parametrised test: the component's.
template <class Component>
std::string component_name(const ::testing::TestParamInfo<const Component*>& info) {
    return std::string(info.param->name);
}

}  // namespace sheaf::testing
