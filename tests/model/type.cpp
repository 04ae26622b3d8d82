// SPDX-License-Identifier: BSD-3-Clause
#include "type.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace model {
namespace {

struct BasicFacts {
    const char* name;
    int size;
};

constexpr std::array<BasicFacts, kBasicCount> kBasics{{{"byte", 1},
                                                       {"char", 1},
                                                       {"short", 2},
                                                       {"int", 4},
                                                       {"float", 4},
                                                       {"double", 8},
                                                       {"int64", 8},
                                                       {"uint16", 2}}};

/// Collects the typemap of a type from copies of its children.
class MapBuilder {
public:
    explicit MapBuilder(Type& type) : type_{type} {}

    void place(const Type& child, std::int64_t at, std::int64_t copies) {
        if (copies == 0) return;
        note_bounds(child, at, copies);
        type_.size += copies * child.size;
        if (is_dense(child)) {
            append({at + child.lb, copies * child.extent()});
            return;
        }
        for (std::int64_t copy = 0; copy < copies; ++copy) {
            for (const Run& run : child.runs)
                append({run.begin + at + copy * child.extent(), run.length});
        }
    }

private:
    static bool is_dense(const Type& child) {
        return child.runs.size() == 1 && child.runs[0].begin == child.lb &&
               child.runs[0].length == child.extent();
    }

    void note_bounds(const Type& child, std::int64_t at, std::int64_t copies) {
        const std::int64_t span = (copies - 1) * child.extent();
        const std::int64_t low = at + child.lb + std::min<std::int64_t>(span, 0);
        const std::int64_t high = at + child.ub + std::max<std::int64_t>(span, 0);
        type_.lb = bounded_ ? std::min(type_.lb, low) : low;
        type_.ub = bounded_ ? std::max(type_.ub, high) : high;
        bounded_ = true;
    }

    void append(Run run) {
        if (run.length == 0) return;
        if (!type_.runs.empty() && type_.runs.back().end() == run.begin) {
            type_.runs.back().length += run.length;
        } else {
            type_.runs.push_back(run);
        }
    }

    Type& type_;
    bool bounded_ = false;
};

std::shared_ptr<Type> start(Kind kind, std::vector<TypePtr> children) {
    auto type = std::make_shared<Type>();
    type->kind = kind;
    if (!children.empty()) type->period = children[0]->period;
    type->children = std::move(children);
    return type;
}

/// The indices of one axis that a subarray or one process of a darray holds, in order.
using Indices = std::vector<std::int64_t>;

Indices distributed_indices(const DistributedAxis& axis, int coordinate) {
    Indices indices;
    if (axis.distribution == Distribution::none) {
        for (std::int64_t i = 0; i < axis.size; ++i) indices.push_back(i);
        return indices;
    }
    std::int64_t block = axis.argument;
    if (block == 0) {
        const bool cyclic = axis.distribution == Distribution::cyclic;
        block = cyclic ? 1 : (axis.size + axis.processes - 1) / axis.processes;
    }
    for (std::int64_t i = 0; i < axis.size; ++i) {
        if (i / block % axis.processes == coordinate) indices.push_back(i);
    }
    return indices;
}

/// Places the child at the product of the axes' indices, the fastest axis innermost.
void place_product(Type& type, ArrayOrder order, const std::vector<Indices>& held,
                   const std::vector<int>& sizes) {
    const Type& child = *type.children[0];
    std::vector<std::int64_t> places{0};
    const std::size_t axes = sizes.size();
    for (std::size_t step = 0; step < axes; ++step) {
        const std::size_t axis = order == ArrayOrder::c ? step : axes - 1 - step;
        std::vector<std::int64_t> finer;
        for (std::int64_t place : places) {
            for (std::int64_t index : held[axis]) finer.push_back(place * sizes[axis] + index);
        }
        places = std::move(finer);
    }
    MapBuilder builder{type};
    for (std::int64_t place : places) builder.place(child, place * child.extent(), 1);
    std::int64_t total = child.extent();
    for (int size : sizes) total *= size;
    type.lb = 0;
    type.ub = total;
}

template <class Numbers>
std::string join(const Numbers& numbers) {
    std::string text;
    for (const auto& number : numbers) {
        if (!text.empty()) text += ",";
        text += std::to_string(number);
    }
    return text;
}

const char* kind_name(Kind kind) {
    constexpr std::array<const char*, 13> kNames{
        "named",   "contiguous", "vector",        "hvector",
        "indexed", "hindexed",   "indexed_block", "hindexed_block",
        "struct",  "subarray",   "darray",        "resized",
        "dup"};
    return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace

int basic_size(Basic basic) {
    return kBasics[static_cast<std::size_t>(basic)].size;
}
const char* basic_name(Basic basic) {
    return kBasics[static_cast<std::size_t>(basic)].name;
}

std::int64_t Type::true_lb() const {
    std::int64_t low = runs.empty() ? 0 : runs[0].begin;
    for (const Run& run : runs) low = std::min(low, run.begin);
    return low;
}

std::int64_t Type::true_ub() const {
    std::int64_t high = runs.empty() ? 0 : runs[0].end();
    for (const Run& run : runs) high = std::max(high, run.end());
    return high;
}

TypePtr make_named(Basic basic) {
    auto type = start(Kind::named, {});
    type->basic = basic;
    type->size = basic_size(basic);
    type->ub = type->size;
    type->runs = {{0, type->size}};
    type->period = {basic};
    return type;
}

TypePtr make_contiguous(int count, const TypePtr& child) {
    auto type = start(Kind::contiguous, {child});
    type->ints = {count};
    MapBuilder{*type}.place(*child, 0, count);
    return type;
}

TypePtr make_vector(int count, int block, int stride, const TypePtr& child) {
    auto type = start(Kind::vector, {child});
    type->ints = {count, block, stride};
    MapBuilder builder{*type};
    for (int i = 0; i < count; ++i) builder.place(*child, i * stride * child->extent(), block);
    return type;
}

TypePtr make_hvector(int count, int block, std::int64_t stride, const TypePtr& child) {
    auto type = start(Kind::hvector, {child});
    type->ints = {count, block};
    type->bytes = {stride};
    MapBuilder builder{*type};
    for (int i = 0; i < count; ++i) builder.place(*child, i * stride, block);
    return type;
}

TypePtr make_indexed(const std::vector<IndexedBlock>& blocks, const TypePtr& child) {
    auto type = start(Kind::indexed, {child});
    type->ints = {static_cast<int>(blocks.size())};
    for (const IndexedBlock& block : blocks) type->ints.push_back(block.length);
    for (const IndexedBlock& block : blocks)
        type->ints.push_back(static_cast<int>(block.displacement));
    MapBuilder builder{*type};
    for (const IndexedBlock& block : blocks)
        builder.place(*child, block.displacement * child->extent(), block.length);
    return type;
}

TypePtr make_hindexed(const std::vector<IndexedBlock>& blocks, const TypePtr& child) {
    auto type = start(Kind::hindexed, {child});
    type->ints = {static_cast<int>(blocks.size())};
    MapBuilder builder{*type};
    for (const IndexedBlock& block : blocks) {
        type->ints.push_back(block.length);
        type->bytes.push_back(block.displacement);
        builder.place(*child, block.displacement, block.length);
    }
    return type;
}

TypePtr make_indexed_block(int block, const std::vector<int>& displacements, const TypePtr& child) {
    auto type = start(Kind::indexed_block, {child});
    type->ints = {static_cast<int>(displacements.size()), block};
    MapBuilder builder{*type};
    for (int displacement : displacements) {
        type->ints.push_back(displacement);
        builder.place(*child, displacement * child->extent(), block);
    }
    return type;
}

TypePtr make_hindexed_block(int block, const std::vector<std::int64_t>& displacements,
                            const TypePtr& child) {
    auto type = start(Kind::hindexed_block, {child});
    type->ints = {static_cast<int>(displacements.size()), block};
    type->bytes = displacements;
    MapBuilder builder{*type};
    for (std::int64_t displacement : displacements) builder.place(*child, displacement, block);
    return type;
}

TypePtr make_struct(const std::vector<StructBlock>& blocks) {
    auto type = start(Kind::structure, {});
    MapBuilder builder{*type};
    type->period = blocks[0].type->period;
    bool uniform = true;
    std::vector<Basic> signature;
    for (const StructBlock& block : blocks) {
        type->ints.push_back(block.length);
        type->bytes.push_back(block.displacement);
        type->children.push_back(block.type);
        builder.place(*block.type, block.displacement, block.length);
        uniform = uniform && block.type->period == blocks[0].type->period;
        for (int i = 0; i < block.length; ++i)
            signature.insert(signature.end(), block.type->period.begin(), block.type->period.end());
    }
    if (!uniform) type->period = signature;
    return type;
}

TypePtr make_subarray(ArrayOrder order, const std::vector<ArrayAxis>& axes, const TypePtr& child) {
    auto type = start(Kind::subarray, {child});
    type->ints = {static_cast<int>(order), static_cast<int>(axes.size())};
    std::vector<int> sizes;
    std::vector<Indices> held;
    for (const ArrayAxis& axis : axes) {
        sizes.push_back(axis.size);
        Indices indices;
        for (int i = 0; i < axis.subsize; ++i) indices.push_back(axis.start + i);
        held.push_back(indices);
        type->ints.insert(type->ints.end(), {axis.size, axis.subsize, axis.start});
    }
    place_product(*type, order, held, sizes);
    return type;
}

TypePtr make_darray(ArrayOrder order, int rank, const std::vector<DistributedAxis>& axes,
                    const TypePtr& child) {
    auto type = start(Kind::darray, {child});
    int processes = 1;
    for (const DistributedAxis& axis : axes) processes *= axis.processes;
    type->ints = {static_cast<int>(order), processes, rank, static_cast<int>(axes.size())};
    std::vector<int> sizes;
    std::vector<Indices> held;
    // The grid of processes is in row-major order whatever the order of the array.
    for (const DistributedAxis& axis : axes) {
        processes /= axis.processes;
        sizes.push_back(axis.size);
        held.push_back(distributed_indices(axis, rank / processes % axis.processes));
        type->ints.insert(type->ints.end(), {axis.size, static_cast<int>(axis.distribution),
                                             axis.argument, axis.processes});
    }
    place_product(*type, order, held, sizes);
    return type;
}

TypePtr make_resized(std::int64_t lb, std::int64_t extent, const TypePtr& child) {
    auto type = std::make_shared<Type>(*child);
    type->kind = Kind::resized;
    type->children = {child};
    type->ints.clear();
    type->bytes = {lb, extent};
    type->lb = lb;
    type->ub = lb + extent;
    return type;
}

TypePtr make_dup(const TypePtr& child) {
    auto type = std::make_shared<Type>(*child);
    type->kind = Kind::dup;
    type->children = {child};
    type->ints.clear();
    type->bytes.clear();
    return type;
}

std::string describe(const Type& type) {
    if (type.kind == Kind::named) return basic_name(type.basic);
    std::string text = kind_name(type.kind);
    text += "(";
    if (!type.ints.empty()) text += join(type.ints) + ", ";
    if (!type.bytes.empty()) text += "[" + join(type.bytes) + "], ";
    for (const TypePtr& child : type.children) {
        if (&child != &type.children.front()) text += ", ";
        text += describe(*child);
    }
    return text + ")";
}

std::int64_t elements_in(const Type& type, std::int64_t bytes) {
    std::int64_t period_bytes = 0;
    for (Basic basic : type.period) period_bytes += basic_size(basic);
    if (period_bytes == 0) return 0;
    std::int64_t elements = bytes / period_bytes * static_cast<std::int64_t>(type.period.size());
    std::int64_t left = bytes % period_bytes;
    for (Basic basic : type.period) {
        if (left < basic_size(basic)) break;
        left -= basic_size(basic);
        ++elements;
    }
    return left == 0 ? elements : -1;
}

bool contains_array(const Type& type) {
    if (type.kind == Kind::subarray || type.kind == Kind::darray) return true;
    return std::any_of(type.children.begin(), type.children.end(),
                       [](const TypePtr& child) { return contains_array(*child); });
}

}  // namespace model
