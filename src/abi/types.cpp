// SPDX-License-Identifier: BSD-3-Clause
#include "abi/types.h"

#include <array>

#include "base/assert.h"
#include "mpi/host_communicator.h"
#include "mpi/type_contents.h"
#include "view/decode.h"

namespace sheaf::abi {

Result<KeptType> KeptType::keep(MPI_Datatype type) {
    if (type == MPI_DATATYPE_NULL)
        return Status{Code::datatype, "the datatype is MPI_DATATYPE_NULL"};
    KeptType kept;
    if (mpi::combiner_of(type) == MPI_COMBINER_NAMED) {
        kept.named_ = type;
        return kept;
    }
    MPI_Datatype holder = MPI_DATATYPE_NULL;
    SHEAF_CHECK(mpi::check(PMPI_Type_contiguous(1, type, &holder), "MPI_Type_contiguous"));
    kept.holder_.reset(holder);
    return kept;
}

Result<MPI_Datatype> KeptType::for_user() const {
    if (!holder_.valid()) return named_;
    mpi::TypeContents contents = mpi::type_contents(holder_.get());
    SHEAF_ASSERT(contents.types.size() == 1);
    return contents.types.front().release();
}

namespace {

/// Bytes of one instance of a named type without holes: the common case, known without a layout
/// tree. 0 for all other types.
std::int64_t plain_size(MPI_Datatype type) {
    if (type == MPI_DATATYPE_NULL || mpi::combiner_of(type) != MPI_COMBINER_NAMED) return 0;
    MPI_Count size = 0;
    MPI_Count lower_bound = 0;
    MPI_Count extent = 0;
    PMPI_Type_size_x(type, &size);
    PMPI_Type_get_extent_x(type, &lower_bound, &extent);
    return lower_bound == 0 && size == extent ? size : 0;
}

}  // namespace

Result<Memory> memory_of(const void* buffer, std::int64_t count, MPI_Datatype type) {
    if (count < 0) return Status{Code::count, "the count is negative"};
    // Reads write through it; writes only read. One type serves both directions.
    auto* base = static_cast<std::byte*>(const_cast<void*>(buffer));
    std::int64_t bytes = 0;
    if (!__builtin_mul_overflow(plain_size(type), count, &bytes) && bytes > 0) {
        SHEAF_TRY(view::Layout layout, view::bytes(bytes));
        return Memory{base, std::move(layout)};
    }
    SHEAF_TRY(const view::Decoded decoded, view::decode(type));
    SHEAF_TRY(view::Layout layout, decoded.repeated(count));
    return Memory{base, std::move(layout)};
}

Result<view::ViewType> view_type_of(MPI_Datatype type) {
    SHEAF_TRY(view::Decoded decoded, view::decode(type));
    return view::ViewType{std::move(decoded.layout), decoded.extent};
}

Result<std::vector<hints::Given>> hints_of(MPI_Info info) {
    std::vector<hints::Given> given;
    if (info == MPI_INFO_NULL) return given;
    int keys = 0;
    SHEAF_CHECK(mpi::check(PMPI_Info_get_nkeys(info, &keys), "MPI_Info_get_nkeys"));
    for (int i = 0; i < keys; ++i) {
        std::array<char, MPI_MAX_INFO_KEY + 1> key{};
        std::array<char, MPI_MAX_INFO_VAL + 1> value{};
        int present = 0;
        SHEAF_CHECK(mpi::check(PMPI_Info_get_nthkey(info, i, key.data()), "MPI_Info_get_nthkey"));
        SHEAF_CHECK(
            mpi::check(PMPI_Info_get(info, key.data(), MPI_MAX_INFO_VAL, value.data(), &present),
                       "MPI_Info_get"));
        if (present != 0) given.push_back({key.data(), value.data()});
    }
    return given;
}

void set_status(MPI_Status* status, ByteCount bytes) {
    SHEAF_ASSERT(bytes.value >= 0);
    if (status == MPI_STATUS_IGNORE) return;
    PMPI_Status_set_elements_x(status, MPI_BYTE, bytes.value);
    PMPI_Status_set_cancelled(status, 0);
}

}  // namespace sheaf::abi
