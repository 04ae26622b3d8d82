// SPDX-License-Identifier: BSD-3-Clause
#include "realize.h"

#include <array>
#include <cstddef>

namespace model {
namespace {

MPI_Datatype basic_handle(Basic basic) {
    const std::array<MPI_Datatype, kBasicCount> handles{
        MPI_BYTE, MPI_CHAR, MPI_SHORT, MPI_INT, MPI_FLOAT, MPI_DOUBLE, MPI_INT64_T, MPI_UINT16_T};
    return handles[static_cast<std::size_t>(basic)];
}

MPI_Datatype build(const Type& type);

/// The handles of a type's children, freed at the end: MPI keeps what a new type needs.
class Children {
public:
    explicit Children(const Type& type) {
        for (const TypePtr& child : type.children) {
            handles_.push_back(build(*child));
            owned_.push_back(child->kind != Kind::named);
        }
    }
    Children(const Children&) = delete;
    Children& operator=(const Children&) = delete;
    ~Children() {
        for (std::size_t i = 0; i < handles_.size(); ++i) {
            if (owned_[i]) MPI_Type_free(&handles_[i]);
        }
    }
    [[nodiscard]] MPI_Datatype first() const { return handles_[0]; }
    [[nodiscard]] const MPI_Datatype* all() const { return handles_.data(); }

private:
    std::vector<MPI_Datatype> handles_;
    std::vector<bool> owned_;
};

std::vector<MPI_Aint> addresses(const std::vector<std::int64_t>& bytes) {
    return {bytes.begin(), bytes.end()};
}

MPI_Datatype build_subarray(const Type& type, MPI_Datatype child) {
    std::vector<int> sizes;
    std::vector<int> subsizes;
    std::vector<int> starts;
    for (std::size_t i = 2; i < type.ints.size(); i += 3) {
        sizes.push_back(type.ints[i]);
        subsizes.push_back(type.ints[i + 1]);
        starts.push_back(type.ints[i + 2]);
    }
    const bool c_order = type.ints[0] == static_cast<int>(ArrayOrder::c);
    MPI_Datatype result = MPI_DATATYPE_NULL;
    MPI_Type_create_subarray(type.ints[1], sizes.data(), subsizes.data(), starts.data(),
                             c_order ? MPI_ORDER_C : MPI_ORDER_FORTRAN, child, &result);
    return result;
}

MPI_Datatype build_darray(const Type& type, MPI_Datatype child) {
    const std::array<int, 3> distributions{MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_BLOCK,
                                           MPI_DISTRIBUTE_CYCLIC};
    std::vector<int> sizes;
    std::vector<int> kinds;
    std::vector<int> arguments;
    std::vector<int> processes;
    for (std::size_t i = 4; i < type.ints.size(); i += 4) {
        sizes.push_back(type.ints[i]);
        kinds.push_back(distributions[static_cast<std::size_t>(type.ints[i + 1])]);
        arguments.push_back(type.ints[i + 2] == 0 ? MPI_DISTRIBUTE_DFLT_DARG : type.ints[i + 2]);
        processes.push_back(type.ints[i + 3]);
    }
    const bool c_order = type.ints[0] == static_cast<int>(ArrayOrder::c);
    MPI_Datatype result = MPI_DATATYPE_NULL;
    MPI_Type_create_darray(type.ints[1], type.ints[2], type.ints[3], sizes.data(), kinds.data(),
                           arguments.data(), processes.data(),
                           c_order ? MPI_ORDER_C : MPI_ORDER_FORTRAN, child, &result);
    return result;
}

/// The constructors that take lists of blocks.
MPI_Datatype build_blocks(const Type& type, const Children& children) {
    MPI_Datatype result = MPI_DATATYPE_NULL;
    const int* ints = type.ints.data();
    const int count = type.ints[0];
    const std::vector<MPI_Aint> places = addresses(type.bytes);
    switch (type.kind) {
        case Kind::indexed:
            MPI_Type_indexed(count, ints + 1, ints + 1 + count, children.first(), &result);
            break;
        case Kind::hindexed:
            MPI_Type_create_hindexed(count, ints + 1, places.data(), children.first(), &result);
            break;
        case Kind::indexed_block:
            MPI_Type_create_indexed_block(count, ints[1], ints + 2, children.first(), &result);
            break;
        case Kind::hindexed_block:
            MPI_Type_create_hindexed_block(count, ints[1], places.data(), children.first(),
                                           &result);
            break;
        default:
            MPI_Type_create_struct(static_cast<int>(type.ints.size()), ints, places.data(),
                                   children.all(), &result);
    }
    return result;
}

MPI_Datatype build(const Type& type) {
    if (type.kind == Kind::named) return basic_handle(type.basic);
    const Children children{type};
    MPI_Datatype result = MPI_DATATYPE_NULL;
    const auto argument = [&](std::size_t i) { return type.ints[i]; };
    switch (type.kind) {
        case Kind::contiguous:
            MPI_Type_contiguous(argument(0), children.first(), &result);
            break;
        case Kind::vector:
            MPI_Type_vector(argument(0), argument(1), argument(2), children.first(), &result);
            break;
        case Kind::hvector:
            MPI_Type_create_hvector(argument(0), argument(1), type.bytes[0], children.first(),
                                    &result);
            break;
        case Kind::subarray:
            return build_subarray(type, children.first());
        case Kind::darray:
            return build_darray(type, children.first());
        case Kind::resized:
            MPI_Type_create_resized(children.first(), type.bytes[0], type.bytes[1], &result);
            break;
        case Kind::dup:
            MPI_Type_dup(children.first(), &result);
            break;
        default:
            return build_blocks(type, children);
    }
    return result;
}

}  // namespace

RealType::RealType(const Type& type) : type_{build(type)}, owned_{type.kind != Kind::named} {
    MPI_Type_commit(&type_);
}

RealType::RealType(const Type& type, const void* base) {
    const RealType relative{type};
    MPI_Aint address = 0;
    MPI_Get_address(base, &address);
    const int one = 1;
    MPI_Type_create_hindexed(1, &one, &address, relative.get(), &type_);
    MPI_Type_commit(&type_);
}

RealType::~RealType() {
    if (owned_) MPI_Type_free(&type_);
}

}  // namespace model
