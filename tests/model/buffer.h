// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "type.h"

namespace model {

/// Memory for `count` items of a type, surrounded and interspersed with guard bytes.
class Buffer {
public:
    Buffer(const Type& type, std::int64_t count);

    /// The address that the typemap's displacements count from. It may lie outside of the memory.
    [[nodiscard]] void* base();

    /// Lays `stream` into the typemap's places, in typemap order.
    void scatter(const std::vector<std::uint8_t>& stream);

    /// Compares with what the memory must be: `stream` in the first places, guard bytes elsewhere.
    /// Bytes whose `defined` is false may have any value. Returns the first difference in words.
    [[nodiscard]] std::optional<std::string> difference(const std::vector<std::uint8_t>& stream,
                                                        const std::vector<bool>& defined,
                                                        bool guard_the_rest) const;

private:
    std::vector<std::size_t> places_;  ///< Index into memory_ of each byte of the stream.
    std::vector<std::uint8_t> memory_;
    std::int64_t origin_;  ///< Index into memory_ of displacement 0.
};

/// The first differing range of two byte sequences in words, with hexadecimal excerpts; `what` says
/// what the positions count.
std::string describe_difference(const std::string& what, std::int64_t first,
                                const std::vector<std::uint8_t>& expected,
                                const std::vector<std::uint8_t>& found);

}  // namespace model
