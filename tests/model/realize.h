// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "type.h"

namespace model {

/// A committed MPI datatype, freed with this object unless it is a predefined one.
class RealType {
public:
    explicit RealType(const Type& type);
    /// As above, displaced by the address `base` so that it is used with MPI_BOTTOM.
    RealType(const Type& type, const void* base);
    RealType(const RealType&) = delete;
    RealType& operator=(const RealType&) = delete;
    ~RealType();

    [[nodiscard]] MPI_Datatype get() const { return type_; }

private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    bool owned_ = true;
};

}  // namespace model
