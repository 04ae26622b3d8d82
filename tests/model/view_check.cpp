// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "executor.h"
#include "random.h"

namespace model {
namespace {

constexpr std::int64_t kLargestPacked = 1 << 16;

/// MPI_Pack tells which bytes a type selects, and in which order.
bool packs_as(MPI_Datatype type, const Type& expected) {
    std::vector<std::uint8_t> source(static_cast<std::size_t>(expected.true_ub()));
    for (std::size_t i = 0; i < source.size(); ++i)
        source[i] = tag_byte(7, static_cast<std::int64_t>(i));
    std::vector<std::uint8_t> wanted;
    for (const Run& run : expected.runs) {
        for (std::int64_t at = run.begin; at < run.end(); ++at)
            wanted.push_back(source[static_cast<std::size_t>(at)]);
    }
    std::vector<std::uint8_t> packed(wanted.size());
    int position = 0;
    MPI_Pack(source.data(), 1, type, packed.data(), static_cast<int>(packed.size()), &position,
             MPI_COMM_SELF);
    return packed == wanted;
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
        auto found = type_fault(type_, expected, true);
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

std::optional<std::string> type_fault(MPI_Datatype type, const Type& expected,
                                      bool placed_at_zero) {
    int size = -1;
    MPI_Aint lb = -1;
    MPI_Aint extent = -1;
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &lb, &extent);
    if (!placed_at_zero) lb = expected.lb;
    if (size != expected.size || lb != expected.lb || extent != expected.extent())
        return "size " + std::to_string(size) + ", lb " + std::to_string(lb) + ", extent " +
               std::to_string(extent) + "; expected size " + std::to_string(expected.size) +
               ", lb " + std::to_string(expected.lb) + ", extent " +
               std::to_string(expected.extent());
    if (!placed_at_zero || expected.true_ub() > kLargestPacked || expected.true_lb() < 0)
        return std::nullopt;
    if (packs_as(type, expected)) return std::nullopt;
    return "MPI_Pack takes other bytes than the typemap says";
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
