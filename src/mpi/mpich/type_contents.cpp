// SPDX-License-Identifier: BSD-3-Clause

/// type_contents() where MPI 4 is at hand: the large-count forms tell of all types. For MPICH 4 and
/// later, Intel MPI and the standard ABI.

#include "mpi/type_contents.h"

#include <cstddef>

namespace sheaf::mpi {

namespace {

struct Envelope {
    MPI_Count integers = 0;
    MPI_Count addresses = 0;
    MPI_Count counts = 0;
    MPI_Count types = 0;
    int combiner = MPI_COMBINER_NAMED;
};

Envelope envelope_of(MPI_Datatype type) {
    Envelope envelope;
    PMPI_Type_get_envelope_c(type, &envelope.integers, &envelope.addresses, &envelope.counts,
                             &envelope.types, &envelope.combiner);
    return envelope;
}

}  // namespace

int combiner_of(MPI_Datatype type) {
    return envelope_of(type).combiner;
}

TypeContents type_contents(MPI_Datatype type) {
    const Envelope envelope = envelope_of(type);
    TypeContents contents;
    contents.combiner = envelope.combiner;
    if (envelope.combiner == MPI_COMBINER_NAMED) return contents;
    std::vector<int> integers(static_cast<std::size_t>(envelope.integers));
    std::vector<MPI_Aint> addresses(static_cast<std::size_t>(envelope.addresses));
    std::vector<MPI_Count> counts(static_cast<std::size_t>(envelope.counts));
    std::vector<MPI_Datatype> types(static_cast<std::size_t>(envelope.types));
    PMPI_Type_get_contents_c(type, envelope.integers, envelope.addresses, envelope.counts,
                             envelope.types, integers.data(), addresses.data(), counts.data(),
                             types.data());
    for (const MPI_Datatype child : types) contents.types.emplace_back(child);
    contents.numbers = in_argument_order(envelope.combiner, integers, addresses, counts);
    return contents;
}

}  // namespace sheaf::mpi
