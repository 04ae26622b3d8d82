// SPDX-License-Identifier: BSD-3-Clause

/// The calls on a file as a whole, and the conversions of its handle.

#include <mpi.h>

#include "abi/call.h"

namespace sheaf::abi {

namespace {

Result<MPI_Info> info_of(const hints::HintSet& hints) {
    MPI_Info info = MPI_INFO_NULL;
    SHEAF_CHECK(mpi::check(PMPI_Info_create(&info), "MPI_Info_create"));
    for (const auto& [name, value] : hints.values()) {
        SHEAF_CHECK(mpi::check(PMPI_Info_set(info, name.c_str(), value.c_str()), "MPI_Info_set"));
    }
    return info;
}

}  // namespace

}  // namespace sheaf::abi

using namespace sheaf;
using namespace sheaf::abi;

extern "C" {

int MPI_File_get_size(MPI_File file, MPI_Offset* size) {
    return on_file(file, [&](OpenHandle& open) -> Status {
        SHEAF_TRY(const ByteCount bytes, open.file->size());
        *size = bytes.value;
        return {};
    });
}

int MPI_File_set_size(MPI_File file, MPI_Offset size) {
    return on_file(file, [&](OpenHandle& open) { return open.file->set_size({size}, {}); });
}

int MPI_File_preallocate(MPI_File file, MPI_Offset size) {
    return on_file(file, [&](OpenHandle& open) { return open.file->preallocate({size}, {}); });
}

int MPI_File_sync(MPI_File file) {
    return on_file(file, [](OpenHandle& open) { return open.file->sync(); });
}

int MPI_File_get_group(MPI_File file, MPI_Group* group) {
    return on_file(file, [&](OpenHandle& open) -> Status {
        SHEAF_TRY(*group, open.communicator->group());
        return {};
    });
}

int MPI_File_get_amode(MPI_File file, int* amode) {
    return on_file(file, [&](OpenHandle& open) -> Status {
        *amode = open.amode;
        return {};
    });
}

int MPI_File_set_info(MPI_File file, MPI_Info info) {
    return on_file(file, [&](OpenHandle& open) {
        auto hints = hints_of(info);
        const Status precondition = hints.status();
        return open.file->set_hints(hints.ok() ? *hints : std::vector<hints::Given>{},
                                    precondition);
    });
}

int MPI_File_get_info(MPI_File file, MPI_Info* info) {
    return on_file(file, [&](OpenHandle& open) -> Status {
        SHEAF_TRY(*info, info_of(open.file->hints()));
        return {};
    });
}

int MPI_File_set_atomicity(MPI_File file, int flag) {
    return on_file(file, [&](OpenHandle&) -> Status {
        if (flag == 0) return {};
        return {Code::unsupported_operation,
                "set_atomicity: atomic mode is not built yet in this version of Sheaf"};
    });
}

int MPI_File_get_atomicity(MPI_File file, int* flag) {
    return on_file(file, [&](OpenHandle&) -> Status {
        *flag = 0;
        return {};
    });
}

// The standard ABI's header lacks the first two, Open MPI's and older ones of MPICH the others.
// MPI_Fint is int everywhere.
int MPI_File_c2f(MPI_File file);
MPI_File MPI_File_f2c(int file);
int MPI_File_toint(MPI_File file);
MPI_File MPI_File_fromint(int file);

int MPI_File_c2f(MPI_File file) {
    return to_fortran(file);
}
MPI_File MPI_File_f2c(int file) {
    return from_fortran(file);
}
int MPI_File_toint(MPI_File file) {
    return to_fortran(file);
}
MPI_File MPI_File_fromint(int file) {
    return from_fortran(file);
}

}  // extern "C"
