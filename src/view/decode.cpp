// SPDX-License-Identifier: BSD-3-Clause
#include "view/decode.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "mpi/type_contents.h"
#include "view/checked.h"

namespace sheaf::view {

namespace {

using mpi::TypeContents;

/// Types nested deeper than this are refused: the limit guards our stack.
constexpr int kMaxNesting = 1000;

Status overflow() {
    return {Code::overflow, "a datatype's size or bounds exceed 63 bits"};
}

/// The arguments of a constructor, one after the other.
class Arguments {
public:
    explicit Arguments(std::span<const std::int64_t> numbers) : left_(numbers) {}

    std::int64_t next() { return list(1).front(); }
    std::span<const std::int64_t> list(std::int64_t count) {
        SHEAF_ASSERT(0 <= count && count <= static_cast<std::int64_t>(left_.size()));
        const auto values = left_.first(static_cast<std::size_t>(count));
        left_ = left_.subspan(static_cast<std::size_t>(count));
        return values;
    }

private:
    std::span<const std::int64_t> left_;
};

/// `values` in units of `unit` bytes.
Result<std::vector<std::int64_t>> scaled(std::span<const std::int64_t> values, std::int64_t unit) {
    std::vector<std::int64_t> bytes;
    bytes.reserve(values.size());
    for (const std::int64_t value : values) {
        const Checked product = Checked{value} * unit;
        if (!product.ok()) return overflow();
        bytes.push_back(product.value());
    }
    return bytes;
}

Result<Decoded> decode_nested(MPI_Datatype type, int nesting);

/// Bytes of a predefined type. Pairs hold the value, then the index as C would place it; of the
/// named ones only MPI_SHORT_INT has its hole in the middle, the others end with theirs.
Result<Layout> named(MPI_Datatype type) {
    if (type == MPI_SHORT_INT) {
        struct Pair {
            short value;
            int index;
        };
        const std::int64_t at = offsetof(Pair, index);
        SHEAF_TRY(Layout value, bytes(sizeof(Pair::value)));
        SHEAF_TRY(Layout index, bytes(sizeof(Pair::index)));
        return structure(std::vector<Part>{{{0}, std::move(value)}, {{at}, std::move(index)}});
    }
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    if (size < 0) return overflow();
    return bytes(size);
}

/// A pair that has no name (MPI 4.1, MPI_Type_get_value_index): the index is aligned to its size.
Result<Layout> value_index(const Decoded& value, const Decoded& index) {
    const std::int64_t unit = index.extent;
    if (unit <= 0) return Status{Code::datatype, "a value-index type with an empty index"};
    const std::int64_t at = (value.extent + unit - 1) / unit * unit;
    return structure(std::vector<Part>{{{0}, value.layout}, {{at}, index.layout}});
}

Result<Layout> vector_of(Arguments arguments, std::int64_t unit, const Decoded& child) {
    const std::int64_t count = arguments.next();
    const std::int64_t length = arguments.next();
    const Checked stride = Checked{arguments.next()} * unit;
    if (!stride.ok()) return overflow();
    SHEAF_TRY(const Layout block, child.repeated(length));
    return strided(count, stride.value(), block);
}

Result<Layout> indexed_of(Arguments arguments, std::int64_t unit, const Decoded& child) {
    const std::int64_t count = arguments.next();
    const auto lengths = arguments.list(count);
    const auto displacements = arguments.list(count);
    if (unit == 1) return indexed({displacements, lengths, child.extent}, child.layout);
    SHEAF_TRY(const auto places, scaled(displacements, unit));
    return indexed({places, lengths, child.extent}, child.layout);
}

Result<Layout> indexed_block_of(Arguments arguments, std::int64_t unit, const Decoded& child) {
    const std::int64_t count = arguments.next();
    SHEAF_TRY(const Layout block, child.repeated(arguments.next()));
    const auto displacements = arguments.list(count);
    if (unit == 1) return indexed({displacements, {}, 0}, block);
    SHEAF_TRY(const auto places, scaled(displacements, unit));
    return indexed({places, {}, 0}, block);
}

Result<Layout> struct_of(Arguments arguments, const TypeContents& contents, int nesting) {
    const std::int64_t count = arguments.next();
    const auto lengths = arguments.list(count);
    const auto displacements = arguments.list(count);
    std::map<MPI_Datatype, Decoded> known;  // All handles are held by `contents`: none is reused.
    std::vector<Part> parts;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        if (lengths[i] == 0) continue;
        const MPI_Datatype type = contents.types[i].get();
        auto found = known.find(type);
        if (found == known.end()) {
            SHEAF_TRY(Decoded child, decode_nested(type, nesting));
            found = known.emplace(type, std::move(child)).first;
        }
        SHEAF_TRY(Layout block, found->second.repeated(lengths[i]));
        parts.push_back({{displacements[i]}, std::move(block)});
    }
    return structure(parts);
}

/// The dimensions of an array from the one that varies fastest to the slowest.
std::vector<std::size_t> fastest_first(std::size_t dimensions, std::int64_t order) {
    std::vector<std::size_t> sequence;
    for (std::size_t i = 0; i < dimensions; ++i) {
        sequence.push_back(order == MPI_ORDER_C ? dimensions - 1 - i : i);
    }
    return sequence;
}

Result<Layout> subarray_of(Arguments arguments, const Decoded& child) {
    const std::int64_t dimensions = arguments.next();
    const auto sizes = arguments.list(dimensions);
    const auto subsizes = arguments.list(dimensions);
    const auto starts = arguments.list(dimensions);
    Layout layout = child.layout;
    Checked step{child.extent};
    for (const std::size_t i : fastest_first(sizes.size(), arguments.next())) {
        const Checked start = Checked{starts[i]} * step;
        if (!start.ok()) return overflow();
        SHEAF_TRY(const Layout line, strided(subsizes[i], step.value(), layout));
        SHEAF_TRY(layout, shifted({start.value()}, line));
        step = step * sizes[i];
    }
    return layout;
}

/// One dimension of a distributed array: who owns what of `size` elements `step` bytes apart.
struct Distribution {
    std::int64_t size;    // Elements in this dimension.
    std::int64_t block;   // Elements dealt out at once.
    std::int64_t owners;  // Processes in this dimension.
    std::int64_t owner;   // Which of them this is.
    std::int64_t step;    // Bytes between two elements.
};

/// What `owner` has of one dimension, each element a `child` (MPI 4.1, 5.1.4).
Result<Layout> dealt(const Distribution& deal, const Layout& child) {
    const Checked cycle = Checked{deal.block} * deal.owners;
    const Checked first = Checked{deal.block} * deal.owner;
    const Checked cycle_bytes = cycle * deal.step;
    const Checked first_bytes = first * deal.step;
    if (!cycle.ok() || !first.ok() || first.value() >= deal.size) return Layout{};
    const std::int64_t rest = deal.size - first.value();
    const std::int64_t full = rest / cycle.value();
    const std::int64_t tail = std::min(deal.block, rest % cycle.value());
    SHEAF_TRY(const Layout block, strided(deal.block, deal.step, child));
    SHEAF_TRY(const Layout last, strided(tail, deal.step, child));
    const Checked last_bytes = first_bytes + Checked{full} * cycle_bytes;
    if (!last_bytes.ok()) return overflow();
    SHEAF_TRY(const Layout blocks, strided(full, full > 1 ? cycle_bytes.value() : 0, block));
    return structure(
        std::vector<Part>{{{first_bytes.value()}, blocks}, {{last_bytes.value()}, last}});
}

/// How many elements of `size` a process gets at once, from the distribution and its argument.
std::int64_t block_length(std::int64_t distribution, std::int64_t argument, std::int64_t size,
                          std::int64_t owners) {
    if (distribution == MPI_DISTRIBUTE_NONE) return std::max<std::int64_t>(size, 1);
    if (argument != MPI_DISTRIBUTE_DFLT_DARG) return argument;
    if (distribution == MPI_DISTRIBUTE_CYCLIC) return 1;
    return std::max<std::int64_t>((size + owners - 1) / owners, 1);
}

Result<Layout> darray_of(Arguments arguments, const Decoded& child) {
    std::int64_t processes = arguments.next();
    std::int64_t rank = arguments.next();
    const std::int64_t dimensions = arguments.next();
    const auto sizes = arguments.list(dimensions);
    const auto distributions = arguments.list(dimensions);
    const auto dargs = arguments.list(dimensions);
    const auto grid = arguments.list(dimensions);
    std::vector<std::int64_t> coordinates;  // The grid is in C order, whatever the array's is.
    for (const std::int64_t owners : grid) {
        processes /= owners;
        coordinates.push_back(rank / processes);
        rank %= processes;
    }
    Layout layout = child.layout;
    Checked step{child.extent};
    for (const std::size_t i : fastest_first(sizes.size(), arguments.next())) {
        if (!step.ok()) return overflow();
        const std::int64_t block = block_length(distributions[i], dargs[i], sizes[i], grid[i]);
        SHEAF_TRY(layout, dealt({sizes[i], block, grid[i], coordinates[i], step.value()}, layout));
        step = step * sizes[i];
    }
    return layout;
}

/// Types made of exactly one other type.
Result<Layout> derived(const TypeContents& contents, const Decoded& child) {
    const Arguments arguments{contents.numbers};
    switch (contents.combiner) {
        case MPI_COMBINER_DUP:
        case MPI_COMBINER_RESIZED:
            return child.layout;
        case MPI_COMBINER_CONTIGUOUS:
            return child.repeated(contents.numbers.front());
        case MPI_COMBINER_VECTOR:
            return vector_of(arguments, child.extent, child);
        case MPI_COMBINER_HVECTOR:
            return vector_of(arguments, 1, child);
        case MPI_COMBINER_INDEXED:
            return indexed_of(arguments, child.extent, child);
        case MPI_COMBINER_HINDEXED:
            return indexed_of(arguments, 1, child);
        case MPI_COMBINER_INDEXED_BLOCK:
            return indexed_block_of(arguments, child.extent, child);
        case MPI_COMBINER_HINDEXED_BLOCK:
            return indexed_block_of(arguments, 1, child);
        case MPI_COMBINER_SUBARRAY:
            return subarray_of(arguments, child);
        case MPI_COMBINER_DARRAY:
            return darray_of(arguments, child);
        default:
            return Status{Code::datatype, "a datatype made by an unknown constructor (combiner " +
                                              std::to_string(contents.combiner) + ")"};
    }
}

Result<Layout> layout_of(MPI_Datatype type, int nesting) {
    if (nesting > kMaxNesting) {
        return Status{Code::unsupported_operation, "a datatype is nested more than 1000 deep"};
    }
    const TypeContents contents = mpi::type_contents(type);
    if (contents.combiner == MPI_COMBINER_STRUCT) {
        return struct_of(Arguments{contents.numbers}, contents, nesting + 1);
    }
    if (contents.types.empty()) return named(type);  // Or parametrised by Fortran kinds.
    SHEAF_TRY(const Decoded child, decode_nested(contents.types[0].get(), nesting + 1));
    if (contents.types.size() == 2 && contents.numbers.empty()) {
        // MPI_COMBINER_VALUE_INDEX, which older headers do not name.
        SHEAF_TRY(const Decoded index, decode_nested(contents.types[1].get(), nesting + 1));
        return value_index(child, index);
    }
    return derived(contents, child);
}

Result<Decoded> decode_nested(MPI_Datatype type, int nesting) {
    if (type == MPI_DATATYPE_NULL) return Status{Code::datatype, "MPI_DATATYPE_NULL"};
    Decoded decoded;
    SHEAF_TRY(decoded.layout, layout_of(type, nesting));
    MPI_Count lower_bound = 0;
    MPI_Count extent = 0;
    PMPI_Type_get_extent_x(type, &lower_bound, &extent);
    decoded.lower_bound = {lower_bound};
    decoded.extent = extent;
    return decoded;
}

}  // namespace

Result<Decoded> decode(MPI_Datatype type) {
    return decode_nested(type, 0);
}

}  // namespace sheaf::view
