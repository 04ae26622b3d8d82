// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Datatypes and infos of the user: what Sheaf makes of them, and what it keeps.

#include <mpi.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "contracts/fcoll.h"
#include "hints/hint_set.h"
#include "mpi/type_contents.h"
#include "view/file_view.h"

namespace sheaf::abi {

/// A datatype that stays valid whatever the user frees. It is held inside a type of our own, which
/// is never committed: a duplicate would cost Intel MPI a list of all pieces.
class KeptType {
public:
    /// MPI_BYTE.
    KeptType() = default;
    static Result<KeptType> keep(MPI_Datatype type);

    /// A handle for the user, who frees it unless it is a named type.
    Result<MPI_Datatype> for_user() const;

private:
    MPI_Datatype named_ = MPI_BYTE;
    mpi::Datatype holder_;  // One instance of the type; null for named types.
};

/// What MPI_File_get_view returns besides the displacement.
struct ViewTypes {
    KeptType etype;
    KeptType filetype;
    std::string representation = "native";
};

/// `count` instances of `type` at `buffer`. Fails with Code::count for negative counts and with
/// Code::datatype for types that are none.
Result<Memory> memory_of(const void* buffer, std::int64_t count, MPI_Datatype type);

/// Layout and extent of a datatype of a view.
Result<view::ViewType> view_type_of(MPI_Datatype type);

/// All keys and values; empty for MPI_INFO_NULL.
Result<std::vector<hints::Given>> hints_of(MPI_Info info);

/// What a status says after `bytes` of data have moved. Nothing for MPI_STATUS_IGNORE.
void set_status(MPI_Status* status, ByteCount bytes);

}  // namespace sheaf::abi
