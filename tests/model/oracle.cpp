// SPDX-License-Identifier: BSD-3-Clause
#include "oracle.h"

#include <algorithm>
#include <cstddef>

namespace model {
namespace {

void append(std::vector<Run>& runs, Run run) {
    if (!runs.empty() && runs.back().end() == run.begin) {
        runs.back().length += run.length;
    } else {
        runs.push_back(run);
    }
}

}  // namespace

View byte_view(std::int64_t displacement) {
    const TypePtr byte = make_named(Basic::byte);
    return {displacement, byte, byte};
}

std::vector<Run> map_stream(const View& view, std::int64_t begin, std::int64_t length) {
    std::vector<Run> result;
    const Type& tile = *view.filetype;
    std::int64_t origin = view.displacement + begin / tile.size * tile.extent();
    std::int64_t skip = begin % tile.size;
    while (length > 0) {
        for (const Run& run : tile.runs) {
            if (length == 0) break;
            const std::int64_t skipped = std::min(skip, run.length);
            const std::int64_t taken = std::min(run.length - skipped, length);
            skip -= skipped;
            length -= taken;
            if (taken > 0) append(result, {origin + run.begin + skipped, taken});
        }
        origin += tile.extent();
    }
    return result;
}

std::int64_t etype_start(const View& view, std::int64_t index) {
    return map_stream(view, index * view.etype->size, 1).front().begin;
}

std::int64_t end_of_file(const View& view, std::int64_t size) {
    // Views ascend, so the first etype that starts behind the end is found by bisection.
    std::int64_t low = 0;
    std::int64_t high = size / view.etype->size + 2;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (etype_start(view, middle) >= size) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

void FileImage::write(std::int64_t offset, std::uint8_t byte) {
    if (offset > size() && holes_undefined_) preallocate(offset);
    if (offset >= size()) resize(offset + 1);
    bytes_[index(offset)] = byte;
    if (!undefined_.empty()) undefined_[index(offset)] = false;
}

void FileImage::resize(std::int64_t size) {
    bytes_.resize(index(size), 0);
    if (!undefined_.empty()) undefined_.resize(index(size), false);
}

void FileImage::preallocate(std::int64_t size) {
    if (size <= this->size()) return;
    undefined_.resize(bytes_.size(), false);
    undefined_.resize(index(size), true);
    bytes_.resize(index(size), 0);
}

bool Conflicts::clashes(int rank, bool writes, const std::vector<Run>& runs) const {
    const auto others = static_cast<std::uint8_t>(~(1U << static_cast<unsigned>(rank)));
    const auto known = static_cast<std::int64_t>(touches_.size());
    for (const Run& run : runs) {
        for (std::int64_t at = run.begin; at < std::min(run.end(), known); ++at) {
            const Touch& touch = touches_[static_cast<std::size_t>(at)];
            if ((touch.writers & others) != 0) return true;
            if (writes && (touch.readers & others) != 0) return true;
        }
    }
    return false;
}

void Conflicts::note(int rank, bool writes, const std::vector<Run>& runs) {
    const auto self = static_cast<std::uint8_t>(1U << static_cast<unsigned>(rank));
    for (const Run& run : runs) {
        if (run.end() > static_cast<std::int64_t>(touches_.size()))
            touches_.resize(static_cast<std::size_t>(run.end()));
        for (std::int64_t at = run.begin; at < run.end(); ++at) {
            Touch& touch = touches_[static_cast<std::size_t>(at)];
            std::uint8_t& mask = writes ? touch.writers : touch.readers;
            mask = static_cast<std::uint8_t>(mask | self);
        }
    }
}

void Conflicts::merge(const Conflicts& other) {
    touches_.resize(std::max(touches_.size(), other.touches_.size()));
    for (std::size_t at = 0; at < other.touches_.size(); ++at) {
        touches_[at].writers =
            static_cast<std::uint8_t>(touches_[at].writers | other.touches_[at].writers);
        touches_[at].readers =
            static_cast<std::uint8_t>(touches_[at].readers | other.touches_[at].readers);
    }
}

void Conflicts::clear() {
    touches_.clear();
}

}  // namespace model
