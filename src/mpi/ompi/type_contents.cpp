// SPDX-License-Identifier: BSD-3-Clause

/// type_contents() for Open MPI 4 and 5, which have no large-count constructors.

#include "mpi/type_contents.h"

#include <cstddef>

namespace sheaf::mpi {

int combiner_of(MPI_Datatype type) {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner;
}

TypeContents type_contents(MPI_Datatype type) {
    int integer_count = 0;
    int address_count = 0;
    int type_count = 0;
    TypeContents contents;
    PMPI_Type_get_envelope(type, &integer_count, &address_count, &type_count, &contents.combiner);
    if (contents.combiner == MPI_COMBINER_NAMED) return contents;
    std::vector<int> integers(static_cast<std::size_t>(integer_count));
    std::vector<MPI_Aint> addresses(static_cast<std::size_t>(address_count));
    std::vector<MPI_Datatype> types(static_cast<std::size_t>(type_count));
    PMPI_Type_get_contents(type, integer_count, address_count, type_count, integers.data(),
                           addresses.data(), types.data());
    for (const MPI_Datatype child : types) contents.types.emplace_back(child);
    contents.numbers = in_argument_order(contents.combiner, integers, addresses, {});
    return contents;
}

}  // namespace sheaf::mpi
