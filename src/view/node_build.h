// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Nodes measured and made, as they are given: normalising is the business of layout.cpp.

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "view/layout.h"

namespace sheaf::view {

/// Requires: size > 0.
[[nodiscard]] NodePtr bytes_node(std::int64_t size);

/// The following fail with Code::overflow, or Code::unsupported_operation beyond kMaxDepth.
/// Requires: count >= 2.
[[nodiscard]] Result<NodePtr> strided_node(std::int64_t count, std::int64_t stride, NodePtr child);

/// Requires: at least two displacements, the first 0; so below.
[[nodiscard]] Result<NodePtr> indexed_node(std::vector<std::int64_t> displacements, NodePtr child);

/// Requires: first_child strictly ascending from 0, one longer than `displacements`.
[[nodiscard]] Result<NodePtr> blocks_node(std::vector<std::int64_t> displacements,
                                          std::vector<std::int64_t> first_child,
                                          std::int64_t stride, NodePtr child);

/// Requires: as many children as displacements.
[[nodiscard]] Result<NodePtr> structure_node(std::vector<std::int64_t> displacements,
                                             std::vector<NodePtr> children);

}  // namespace sheaf::view
