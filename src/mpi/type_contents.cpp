// SPDX-License-Identifier: BSD-3-Clause

/// What all ABIs have in common of type_contents.h.

#include "mpi/type_contents.h"

#include <algorithm>
#include <cstddef>

namespace sheaf::mpi {

namespace {

/// Combiners of the types that their maker must free. Types of the others are the library's own:
/// named, parametrised by Fortran kinds, value-index pairs.
bool made_by_user(int combiner) {
    switch (combiner) {
        case MPI_COMBINER_DUP:
        case MPI_COMBINER_CONTIGUOUS:
        case MPI_COMBINER_VECTOR:
        case MPI_COMBINER_HVECTOR:
        case MPI_COMBINER_INDEXED:
        case MPI_COMBINER_HINDEXED:
        case MPI_COMBINER_INDEXED_BLOCK:
        case MPI_COMBINER_HINDEXED_BLOCK:
        case MPI_COMBINER_STRUCT:
        case MPI_COMBINER_SUBARRAY:
        case MPI_COMBINER_DARRAY:
        case MPI_COMBINER_RESIZED:
            return true;
        default:
            return false;
    }
}

/// Integer arguments in front of the counts in the large-count form of a constructor.
std::size_t integers_before_counts(int combiner) {
    switch (combiner) {
        case MPI_COMBINER_SUBARRAY:
            return 1;  // ndims | sizes, subsizes, starts | order
        case MPI_COMBINER_DARRAY:
            return 3;  // size, rank, ndims | gsizes | distribs, dargs, psizes, order
        default:
            return 0;
    }
}

}  // namespace

void DatatypeTraits::release(Type type) {
    if (made_by_user(combiner_of(type))) PMPI_Type_free(&type);
}

std::vector<std::int64_t> in_argument_order(int combiner, std::span<const int> integers,
                                            std::span<const MPI_Aint> addresses,
                                            std::span<const MPI_Count> counts) {
    std::vector<std::int64_t> numbers;
    numbers.reserve(integers.size() + addresses.size() + counts.size());
    numbers.assign(integers.begin(), integers.end());
    numbers.insert(numbers.end(), addresses.begin(), addresses.end());
    if (counts.empty()) return numbers;
    const std::size_t front = std::min(integers_before_counts(combiner), numbers.size());
    numbers.insert(numbers.begin() + static_cast<std::ptrdiff_t>(front), counts.begin(),
                   counts.end());
    return numbers;
}

}  // namespace sheaf::mpi
