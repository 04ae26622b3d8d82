// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "executor.h"
#include "random.h"
#include "realize.h"

namespace model {
namespace {

constexpr std::int64_t kLargestPacked = 1 << 16;

using Bytes = std::vector<std::uint8_t>;

/// What can be asked of a datatype.
struct Facts {
    std::int64_t size;
    std::int64_t lb;
    std::int64_t extent;
    Bytes packed;  ///< Of a source of known bytes; empty when the type is too large for that.
};

Bytes source_for(const Type& type) {
    if (type.true_ub() > kLargestPacked || type.true_lb() < 0) return {};
    Bytes source;
    for (std::int64_t at = 0; at < type.true_ub(); ++at) source.push_back(tag_byte(7, at));
    return source;
}

/// As the MPI library sees `handle`, which is meant to be `type`.
Facts facts_of(MPI_Datatype handle, const Type& type) {
    int size = -1;
    MPI_Aint lb = -1;
    MPI_Aint extent = -1;
    MPI_Type_size(handle, &size);
    MPI_Type_get_extent(handle, &lb, &extent);
    const Bytes source = source_for(type);
    Bytes packed(source.empty() || size != type.size ? 0 : static_cast<std::size_t>(size));
    int position = 0;
    if (!packed.empty())
        MPI_Pack(source.data(), 1, handle, packed.data(), size, &position, MPI_COMM_SELF);
    return {size, lb, extent, packed};
}

/// As the typemap has it.
Facts facts_of(const Type& type) {
    const Bytes source = source_for(type);
    Bytes packed;
    for (const Run& run : type.runs) {
        for (std::int64_t at = run.begin; at < run.end() && !source.empty(); ++at)
            packed.push_back(source[static_cast<std::size_t>(at)]);
    }
    return {type.size, type.lb, type.extent(), packed};
}

std::string describe(const Facts& facts) {
    return "size " + std::to_string(facts.size) + ", lb " + std::to_string(facts.lb) + ", extent " +
           std::to_string(facts.extent);
}

std::optional<std::string> difference(const Facts& expected, const Facts& found) {
    const std::string wanted = describe(expected);
    const std::string got = describe(found);
    if (wanted != got) return "expected " + wanted + ", found " + got;
    if (expected.packed != found.packed) return "MPI_Pack takes other bytes of it";
    return std::nullopt;
}

/// A handle from MPI, freed unless it is a predefined one.
class ReturnedType {
public:
    explicit ReturnedType(MPI_Datatype type) : type_{type} {
        int ints = 0;
        int addresses = 0;
        int types = 0;
        MPI_Type_get_envelope(type_, &ints, &addresses, &types, &combiner_);
        if (combiner_ != MPI_COMBINER_NAMED) decode(ints, addresses, types);
    }
    ReturnedType(const ReturnedType&) = delete;
    ReturnedType& operator=(const ReturnedType&) = delete;
    ~ReturnedType() {
        if (combiner_ != MPI_COMBINER_NAMED) MPI_Type_free(&type_);
    }

    [[nodiscard]] std::optional<std::string> fault(const char* what, const Type& expected) const {
        // Against the same type made anew: the library's own datatypes are not on trial here.
        const RealType anew{expected};
        auto found = difference(facts_of(anew.get(), expected), facts_of(type_, expected));
        if (found) return std::string{"get_view: "} + what + ": " + *found;
        return std::nullopt;
    }

private:
    static void decode_child(MPI_Datatype child) { const ReturnedType decoded{child}; }

    void decode(int ints, int addresses, int types) {
        std::vector<int> integers(static_cast<std::size_t>(ints) + 1);
        std::vector<MPI_Aint> places(static_cast<std::size_t>(addresses) + 1);
        std::vector<MPI_Datatype> children(static_cast<std::size_t>(types));
        MPI_Type_get_contents(type_, ints, addresses, types, integers.data(), places.data(),
                              children.data());
        for (MPI_Datatype child : children) decode_child(child);
    }

    MPI_Datatype type_;
    int combiner_ = MPI_COMBINER_NAMED;
};

}  // namespace

std::string host_remark(const Type& type) {
    const RealType real{type};
    const auto fault = difference(facts_of(type), facts_of(real.get(), type));
    return fault ? "; the MPI library itself gets this datatype wrong: " + *fault : "";
}

std::optional<std::string> view_fault(MPI_File file, const View& view) {
    MPI_Offset displacement = -1;
    MPI_Datatype etype = MPI_DATATYPE_NULL;
    MPI_Datatype filetype = MPI_DATATYPE_NULL;
    std::array<char, MPI_MAX_DATAREP_STRING + 1> representation{};
    const int code =
        MPI_File_get_view(file, &displacement, &etype, &filetype, representation.data());
    if (code != MPI_SUCCESS) return "MPI_File_get_view failed";
    const ReturnedType got_etype{etype};
    const ReturnedType got_filetype{filetype};
    if (displacement != view.displacement)
        return "get_view: displacement " + std::to_string(displacement) + ", expected " +
               std::to_string(view.displacement);
    if (std::string{representation.data()} != "native")
        return std::string{"get_view: data representation "} + representation.data();
    if (auto fault = got_etype.fault("etype", *view.etype)) return fault;
    return got_filetype.fault("filetype", *view.filetype);
}

}  // namespace model
