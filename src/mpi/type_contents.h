// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// How a datatype was made: its combiner and the arguments of the call that made it.

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/unique_handle.h"

namespace sheaf::mpi {

/// Releases what MPI_Type_get_contents handed out; predefined types stay.
struct DatatypeTraits {
    using Type = MPI_Datatype;
    static Type null() { return MPI_DATATYPE_NULL; }
    static void release(Type type);
};
using Datatype = UniqueHandle<DatatypeTraits>;

/// Envelope and contents of one datatype. Thread-compatible.
struct TypeContents {
    int combiner = MPI_COMBINER_NAMED;
    /// All numeric arguments in the order of the constructor, whatever their C types were, and
    /// whether it was the large-count form or not.
    std::vector<std::int64_t> numbers;
    std::vector<Datatype> types;
};

/// Envelope and contents of `type`. Local. What the host offers for this differs: each ABI has its
/// own type_contents.cpp. Requires: a valid handle.
[[nodiscard]] TypeContents type_contents(MPI_Datatype type);

/// The combiner alone.
[[nodiscard]] int combiner_of(MPI_Datatype type);

/// Numbers of a type in the order of its constructor, from the lists in which MPI returns them.
[[nodiscard]] std::vector<std::int64_t> in_argument_order(int combiner,
                                                          std::span<const int> integers,
                                                          std::span<const MPI_Aint> addresses,
                                                          std::span<const MPI_Count> counts);

}  // namespace sheaf::mpi
