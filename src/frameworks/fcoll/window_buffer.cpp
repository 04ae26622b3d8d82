// SPDX-License-Identifier: BSD-3-Clause
#include "frameworks/fcoll/window_buffer.h"

#include <algorithm>
#include <cstring>

#include "base/assert.h"
#include "frameworks/fcoll/piece_rule.h"

namespace sheaf::fcoll {

void WindowBuffer::start(const Coverage& coverage) {
    begin_ = valid_end_ = coverage.bounds().begin;
    const auto needed = static_cast<std::size_t>(coverage.bounds().size().value);
    if (bytes_.size() < needed) bytes_.resize(needed);
}

std::byte* WindowBuffer::at(ByteOffset offset) {
    SHEAF_ASSERT(offset >= begin_ && (offset - begin_).value <= std::ssize(bytes_));
    return bytes_.data() + (offset - begin_).value;
}

std::vector<fbtl::TransferPiece> WindowBuffer::pieces_of(std::span<const ByteRange> runs) {
    std::vector<fbtl::TransferPiece> pieces;
    pieces.reserve(runs.size());
    for (const ByteRange run : runs) pieces.push_back({at(run.begin), run.size(), run.begin});
    return pieces;
}

Status WindowBuffer::fill(const Coverage& coverage) {
    const auto runs = coverage.runs(kDirectPiece);
    const auto moved = file_.transfer.read(pieces_of(runs));
    ByteCount left = moved.bytes;
    for (const ByteRange run : runs) {
        valid_end_ = run.begin + std::min(left, run.size());
        if (left < run.size()) break;
        left -= run.size();
    }
    return moved.status;
}

bool WindowBuffer::writes_in_one_piece(const Coverage& coverage) const {
    if (coverage.holes().empty()) return true;
    if (!file_.facts.readable || file_.hints.enabled("sheaf_foreign_writers")) return false;
    const std::int64_t runs = std::ssize(coverage.runs({}));
    return coverage.bounds().size().value < runs * kDirectPiece.value;
}

Status WindowBuffer::prepare_write(const Coverage& coverage) {
    const ByteRange holes = coverage.holes();
    if (holes.empty() || !writes_in_one_piece(coverage)) return {};
    const fbtl::TransferPiece piece{at(holes.begin), holes.size(), holes.begin};
    const auto moved = file_.transfer.read({&piece, 1});
    // Behind the end of file a hole reads as zeros once it lies inside the file.
    const ByteCount missing = holes.size() - moved.bytes;
    std::memset(at(holes.end - missing), 0, static_cast<std::size_t>(missing.value));
    return moved.status;
}

Status WindowBuffer::write(const Coverage& coverage) {
    if (coverage.bounds().empty()) return {};
    if (writes_in_one_piece(coverage)) {
        const ByteRange all = coverage.bounds();
        return file_.transfer.write(pieces_of({&all, 1})).status;
    }
    return file_.transfer.write(pieces_of(coverage.runs({}))).status;
}

}  // namespace sheaf::fcoll
