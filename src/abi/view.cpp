// SPDX-License-Identifier: BSD-3-Clause

/// Views, positions, and what a datatype occupies in the file.

#include <mpi.h>

#include <algorithm>
#include <cstring>

#include "abi/call.h"
#include "abi/verbose.h"
#include "base/assert.h"

namespace sheaf::abi {

namespace {

struct NewView {
    ViewArguments arguments;
    ViewTypes types;
    std::vector<hints::Given> hints;
};

Result<NewView> decode_view(MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype,
                            const char* representation, MPI_Info info) {
    NewView view;
    if (representation == nullptr)
        return Status{Code::argument, "set_view: the data representation is null"};
    if (std::strlen(representation) >= MPI_MAX_DATAREP_STRING) {
        return Status{Code::argument, "set_view: the data representation's name is too long"};
    }
    view.types.representation = view.arguments.representation = representation;
    view.arguments.displacement = {displacement};
    SHEAF_TRY(view.arguments.etype, view_type_of(etype));
    SHEAF_TRY(view.arguments.filetype, view_type_of(filetype));
    SHEAF_TRY(view.types.etype, KeptType::keep(etype));
    SHEAF_TRY(view.types.filetype, KeptType::keep(filetype));
    SHEAF_TRY(view.hints, hints_of(info));
    return view;
}

Status type_extent(MPI_Datatype type, MPI_Count& extent) {
    // In native and internal representation a type is as large in the file as in memory.
    MPI_Count lower_bound = 0;
    if (type == MPI_DATATYPE_NULL)
        return {Code::datatype, "get_type_extent: the datatype is MPI_DATATYPE_NULL"};
    return mpi::check(PMPI_Type_get_extent_x(type, &lower_bound, &extent), "MPI_Type_get_extent_x");
}

Result<Whence> whence_of(int whence) {
    if (whence == MPI_SEEK_SET) return Whence::set;
    if (whence == MPI_SEEK_CUR) return Whence::current;
    if (whence == MPI_SEEK_END) return Whence::end;
    return Status{Code::argument,
                  "seek: whence is none of MPI_SEEK_SET, MPI_SEEK_CUR and MPI_SEEK_END"};
}

}  // namespace

}  // namespace sheaf::abi

using namespace sheaf;
using namespace sheaf::abi;

extern "C" {

int MPI_File_set_view(MPI_File file, MPI_Offset displacement, MPI_Datatype etype,
                      MPI_Datatype filetype, const char* representation, MPI_Info info) {
    return on_file(file, [&](OpenHandle& open) -> Status {
        auto view = decode_view(displacement, etype, filetype, representation, info);
        const Status precondition = view.status();
        if (!view.ok()) view = NewView{};
        SHEAF_CHECK(open.file->set_view(view->arguments, view->hints, precondition));
        open.types = std::move(view->types);
        say_choices(*open.file, "set_view");
        return {};
    });
}

int MPI_File_get_view(MPI_File file, MPI_Offset* displacement, MPI_Datatype* etype,
                      MPI_Datatype* filetype, char* representation) {
    return on_file(file, [&](OpenHandle& open) -> Status {
        SHEAF_TRY(*etype, open.types.etype.for_user());
        SHEAF_TRY(*filetype, open.types.filetype.for_user());
        *displacement = open.file->view().displacement().value;
        const std::string& name = open.types.representation;
        SHEAF_ASSERT(name.size() < MPI_MAX_DATAREP_STRING);
        std::copy_n(name.c_str(), name.size() + 1, representation);
        return {};
    });
}

int MPI_File_get_type_extent(MPI_File file, MPI_Datatype type, MPI_Aint* extent) {
    return on_file(file, [&](OpenHandle&) -> Status {
        MPI_Count wide = 0;
        SHEAF_CHECK(type_extent(type, wide));
        *extent = wide;
        return {};
    });
}

int MPI_File_get_type_extent_c(MPI_File file, MPI_Datatype type, MPI_Count* extent) {
    return on_file(file, [&](OpenHandle&) { return type_extent(type, *extent); });
}

int MPI_File_seek(MPI_File file, MPI_Offset offset, int whence) {
    return on_file(file, [&](OpenHandle& open) -> Status {
        SHEAF_TRY(const Whence from, whence_of(whence));
        return open.file->seek({offset}, from);
    });
}

int MPI_File_get_position(MPI_File file, MPI_Offset* offset) {
    return on_file(file, [&](OpenHandle& open) -> Status {
        if (open.file->mode().has(AccessMode::sequential)) {
            return {Code::unsupported_operation,
                    "get_position of a file opened MPI_MODE_SEQUENTIAL"};
        }
        *offset = open.file->position().value;
        return {};
    });
}

int MPI_File_get_byte_offset(MPI_File file, MPI_Offset offset, MPI_Offset* displacement) {
    return on_file(file, [&](OpenHandle& open) -> Status {
        SHEAF_TRY(const ByteOffset place, open.file->byte_offset({offset}));
        *displacement = place.value;
        return {};
    });
}

}  // extern "C"
