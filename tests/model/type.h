// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace model {

/// A contiguous piece of a typemap: `length` bytes from `begin`.
struct Run {
    std::int64_t begin;
    std::int64_t length;
    [[nodiscard]] std::int64_t end() const { return begin + length; }
};

enum class Basic { byte, character, int16, int32, float32, float64, int64, uint16 };
inline constexpr int kBasicCount = 8;
int basic_size(Basic basic);
const char* basic_name(Basic basic);

enum class Kind {
    named,
    contiguous,
    vector,
    hvector,
    indexed,
    hindexed,
    indexed_block,
    hindexed_block,
    structure,
    subarray,
    darray,
    resized,
    dup
};

enum class ArrayOrder { c, fortran };
enum class Distribution { none, block, cyclic };

struct Type;
using TypePtr = std::shared_ptr<const Type>;

/// A datatype as a value: the arguments of its constructor and its flattened typemap.
///
/// The typemap is computed here, by the definition in the standard and piece by piece; no MPI
/// library takes part, so it can judge one. Where `ints` and `bytes` hold which argument of which
/// constructor stands beside each make_ function.
struct Type {
    Kind kind = Kind::named;
    Basic basic = Basic::byte;
    std::vector<int> ints;
    std::vector<std::int64_t> bytes;
    std::vector<TypePtr> children;

    std::vector<Run> runs;      ///< In typemap order; neighbours in order and in place are joined.
    std::vector<Basic> period;  ///< The signature is whole repetitions of this.
    std::int64_t size = 0;
    std::int64_t lb = 0;
    std::int64_t ub = 0;

    [[nodiscard]] std::int64_t extent() const { return ub - lb; }
    [[nodiscard]] std::int64_t true_lb() const;
    [[nodiscard]] std::int64_t true_ub() const;
};

struct IndexedBlock {
    int length;
    std::int64_t displacement;  ///< Extents for indexed, bytes for hindexed.
};

struct StructBlock {
    int length;
    std::int64_t displacement;  ///< In bytes.
    TypePtr type;
};

struct ArrayAxis {
    int size;
    int subsize;
    int start;
};

struct DistributedAxis {
    int size;
    Distribution distribution;
    int argument;  ///< 0: the default argument.
    int processes;
};

TypePtr make_named(Basic basic);
TypePtr make_contiguous(int count, const TypePtr& child);                     // ints: count
TypePtr make_vector(int count, int block, int stride, const TypePtr& child);  // ints: these
TypePtr make_hvector(int count, int block, std::int64_t stride, const TypePtr& child);
TypePtr make_indexed(const std::vector<IndexedBlock>& blocks, const TypePtr& child);
TypePtr make_hindexed(const std::vector<IndexedBlock>& blocks, const TypePtr& child);
TypePtr make_indexed_block(int block, const std::vector<int>& displacements, const TypePtr& child);
TypePtr make_hindexed_block(int block, const std::vector<std::int64_t>& displacements,
                            const TypePtr& child);
/// Always used below a resized: the padding that MPI adds to a bare struct is not specified.
TypePtr make_struct(const std::vector<StructBlock>& blocks);
TypePtr make_subarray(ArrayOrder order, const std::vector<ArrayAxis>& axes, const TypePtr& child);
TypePtr make_darray(ArrayOrder order, int rank, const std::vector<DistributedAxis>& axes,
                    const TypePtr& child);
TypePtr make_resized(std::int64_t lb, std::int64_t extent, const TypePtr& child);
TypePtr make_dup(const TypePtr& child);

/// The constructor calls as text, innermost last: "vector(3,1,2, int32)".
std::string describe(const Type& type);

/// Basic elements in the first `bytes` bytes of a stream with this type's signature; -1 when the
/// last of them is incomplete.
std::int64_t elements_in(const Type& type, std::int64_t bytes);

/// Whether a subarray or darray takes part. MPICH 4's MPI_Get_elements aborts on some of them.
bool contains_array(const Type& type);

}  // namespace model
