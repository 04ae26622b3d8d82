// SPDX-License-Identifier: BSD-3-Clause
#include "type_expression.h"

#include <cstddef>
#include <functional>
#include <map>

namespace iotest {
namespace {

using model::TypePtr;

int to_int(std::int64_t value) {
    return static_cast<int>(value);
}

/// The arguments of one constructor, after its opening parenthesis.
class Arguments {
public:
    Arguments(Line& line, const TypePtr& element) : line_{line}, element_{element} {}

    std::int64_t number() {
        separate();
        return line_.expression();
    }
    int integer() { return to_int(number()); }
    std::vector<std::int64_t> list() {
        separate();
        return line_.list();
    }
    std::vector<int> integers() {
        const std::vector<std::int64_t> values = list();
        return {values.begin(), values.end()};
    }
    TypePtr type() {
        separate();
        return type_expression(line_, element_);
    }
    TypePtr element_or_type() { return has_more() ? type() : element_; }
    bool has_more() { return line_.peek().text == ","; }

    std::vector<TypePtr> types() {
        separate();
        std::vector<TypePtr> result;
        line_.expect("[");
        do result.push_back(type_expression(line_, element_));
        while (line_.accept(","));
        line_.expect("]");
        return result;
    }

    std::vector<model::IndexedBlock> blocks() {
        const std::vector<int> lengths = integers();
        const std::vector<std::int64_t> places = list();
        same_length(lengths.size(), places.size());
        std::vector<model::IndexedBlock> result;
        for (std::size_t i = 0; i < lengths.size(); ++i) result.push_back({lengths[i], places[i]});
        return result;
    }

    std::vector<model::DistributedAxis> axes() {
        const std::vector<int> sizes = integers();
        std::vector<model::DistributedAxis> result;
        separate();
        line_.expect("[");
        do result.push_back(distribution());
        while (line_.accept(","));
        line_.expect("]");
        const std::vector<int> processes = integers();
        same_length(sizes.size(), result.size());
        same_length(sizes.size(), processes.size());
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            result[i].size = sizes[i];
            result[i].processes = processes[i];
        }
        return result;
    }

    void same_length(std::size_t one, std::size_t other) const {
        if (one != other) line_.fail("lists of one length");
    }

private:
    void separate() {
        if (!first_) line_.expect(",");
        first_ = false;
    }

    model::DistributedAxis distribution() {
        model::DistributedAxis axis{};
        if (line_.accept("none")) {
            axis.distribution = model::Distribution::none;
        } else if (line_.accept("block")) {
            axis.distribution = model::Distribution::block;
        } else {
            line_.expect("cyclic");
            axis.distribution = model::Distribution::cyclic;
        }
        if (line_.accept("(")) {
            axis.argument = to_int(line_.expression());
            line_.expect(")");
        }
        return axis;
    }

    Line& line_;
    const TypePtr& element_;
    bool first_ = true;
};

TypePtr subarray(Arguments& arguments, model::ArrayOrder order) {
    const std::vector<int> sizes = arguments.integers();
    const std::vector<int> subsizes = arguments.integers();
    const std::vector<int> starts = arguments.integers();
    arguments.same_length(sizes.size(), subsizes.size());
    arguments.same_length(sizes.size(), starts.size());
    std::vector<model::ArrayAxis> axes;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        axes.push_back({sizes[i], subsizes[i], starts[i]});
    return make_subarray(order, axes, arguments.element_or_type());
}

TypePtr structure(Arguments& arguments) {
    const std::vector<int> lengths = arguments.integers();
    const std::vector<std::int64_t> places = arguments.list();
    const std::vector<TypePtr> types = arguments.types();
    arguments.same_length(lengths.size(), places.size());
    arguments.same_length(lengths.size(), types.size());
    std::vector<model::StructBlock> blocks;
    for (std::size_t i = 0; i < lengths.size(); ++i)
        blocks.push_back({lengths[i], places[i], types[i]});
    return model::make_struct(blocks);
}

TypePtr resized(Arguments& arguments) {
    const TypePtr type = arguments.type();
    const std::int64_t first = arguments.number();
    if (!arguments.has_more()) return model::make_resized(0, first, type);
    return model::make_resized(first, arguments.number(), type);
}

TypePtr vector(Arguments& arguments) {
    const int count = arguments.integer();
    const int block = arguments.integer();
    const int stride = arguments.integer();
    return model::make_vector(count, block, stride, arguments.element_or_type());
}

TypePtr hvector(Arguments& arguments) {
    const int count = arguments.integer();
    const int block = arguments.integer();
    const std::int64_t stride = arguments.number();
    return model::make_hvector(count, block, stride, arguments.element_or_type());
}

TypePtr darray(Arguments& arguments) {
    const int rank = arguments.integer();
    const std::vector<model::DistributedAxis> axes = arguments.axes();
    return model::make_darray(model::ArrayOrder::c, rank, axes, arguments.element_or_type());
}

using Maker = std::function<TypePtr(Arguments&)>;

const std::map<std::string, Maker>& makers() {
    static const std::map<std::string, Maker> table{
        {"contiguous",
         [](Arguments& a) {
             const int count = a.integer();
             return model::make_contiguous(count, a.element_or_type());
         }},
        {"vector", vector},
        {"hvector", hvector},
        {"indexed",
         [](Arguments& a) {
             const auto blocks = a.blocks();
             return model::make_indexed(blocks, a.element_or_type());
         }},
        {"hindexed",
         [](Arguments& a) {
             const auto blocks = a.blocks();
             return model::make_hindexed(blocks, a.element_or_type());
         }},
        {"indexed_block",
         [](Arguments& a) {
             const int block = a.integer();
             const auto places = a.integers();
             return model::make_indexed_block(block, places, a.element_or_type());
         }},
        {"hindexed_block",
         [](Arguments& a) {
             const int block = a.integer();
             const auto places = a.list();
             return model::make_hindexed_block(block, places, a.element_or_type());
         }},
        {"struct", structure},
        {"subarray", [](Arguments& a) { return subarray(a, model::ArrayOrder::c); }},
        {"subarray_f", [](Arguments& a) { return subarray(a, model::ArrayOrder::fortran); }},
        {"darray", darray},
        {"resized", resized},
        {"dup", [](Arguments& a) { return model::make_dup(a.type()); }}};
    return table;
}

}  // namespace

model::TypePtr type_expression(Line& line, const model::TypePtr& element) {
    const std::string name = line.word("a datatype");
    for (int i = 0; i < model::kBasicCount; ++i) {
        const auto basic = static_cast<model::Basic>(i);
        if (name == model::basic_name(basic)) return model::make_named(basic);
    }
    const auto maker = makers().find(name);
    if (maker == makers().end()) throw Mistake{line.number(), "no datatype is called " + name};
    line.expect("(");
    Arguments arguments{line, element};
    TypePtr type = maker->second(arguments);
    line.expect(")");
    return type;
}

}  // namespace iotest
