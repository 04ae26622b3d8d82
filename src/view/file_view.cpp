// SPDX-License-Identifier: BSD-3-Clause
#include "view/file_view.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "base/assert.h"
#include "view/checked.h"

namespace sheaf::view {

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// Rounds up. Requires: value >= 0, unit > 0.
std::int64_t divided_up(std::int64_t value, std::int64_t unit) {
    return value / unit + (value % unit == 0 ? 0 : 1);
}

/// What holds for etype and filetype alike.
Status check_type(std::string_view name, const Layout& layout) {
    const std::string what{name};
    if (layout.bounds().begin.value < 0) {
        return {Code::datatype, what + " has data before its displacement, at byte " +
                                    std::to_string(layout.bounds().begin.value)};
    }
    if (!layout.monotone()) {
        return {Code::datatype, what + " has decreasing displacements: " + to_string(layout)};
    }
    return {};
}

Status check_types(const ViewType& etype, const ViewType& filetype, bool writable) {
    if (etype.layout.empty()) return {Code::datatype, "the etype has no data"};
    SHEAF_CHECK(check_type("the etype", etype.layout));
    SHEAF_CHECK(check_type("the filetype", filetype.layout));
    const std::int64_t etype_size = etype.layout.size().value;
    const std::int64_t size = filetype.layout.size().value;
    if (size % etype_size != 0) {
        return {Code::datatype, "the filetype (" + std::to_string(size) +
                                    " bytes of data) is not made of whole etypes (" +
                                    std::to_string(etype_size) + " bytes)"};
    }
    if (writable && (etype.layout.may_overlap() || filetype.layout.may_overlap())) {
        return {Code::datatype, "the filetype overlaps itself and the file is open for writing"};
    }
    return {};
}

/// How many tiles of `filetype` from `displacement` on can be addressed.
std::int64_t tile_count(std::int64_t displacement, const ViewType& filetype, bool writable) {
    const Result<Layout> two = strided(2, filetype.extent, filetype.layout);
    const bool sound =
        two.ok() && two.value().monotone() && !(writable && two.value().may_overlap());
    if (!sound) return 1;
    const std::int64_t by_size = kMost / filetype.layout.size().value;
    if (filetype.extent == 0) return by_size;
    const std::int64_t room = kMost - displacement - filetype.layout.bounds().end.value;
    return std::min(by_size, room / filetype.extent + 1);
}

Result<Layout> tiled(std::int64_t displacement, const ViewType& filetype, bool writable) {
    if (filetype.layout.empty()) return Layout{};
    SHEAF_TRY(const Layout first, shifted({displacement}, filetype.layout));
    return strided(tile_count(displacement, filetype, writable), filetype.extent, first);
}

Status beyond(std::int64_t position, std::int64_t visible) {
    return {Code::argument, "data byte " + std::to_string(position) +
                                " is beyond what the view shows (" + std::to_string(visible) +
                                " bytes)"};
}

}  // namespace

FileView::FileView() {
    filetype_ = {bytes(1).value(), 1};
    tiles_ = bytes(kMost).value();
}

Result<FileView> FileView::make(ByteOffset displacement, const ViewType& etype,
                                const ViewType& filetype, bool writable) {
    if (displacement.value < 0) {
        return Status{Code::argument, "the displacement of a view is negative: " +
                                          std::to_string(displacement.value)};
    }
    SHEAF_CHECK(check_types(etype, filetype, writable));
    FileView view;
    view.displacement_ = displacement;
    view.etype_size_ = etype.layout.size().value;
    view.etype_extent_ = etype.extent;
    view.filetype_ = filetype;
    SHEAF_TRY(view.tiles_, tiled(displacement.value, filetype, writable));
    SHEAF_ASSERT(view.tiles_.monotone() && view.tiles_.bounds().begin.value >= 0);
    return view;
}

Result<ByteCount> FileView::data_position(EtypeOffset position) const {
    if (position.value < 0) {
        return Status{Code::argument,
                      "a position in the view is negative: " + std::to_string(position.value)};
    }
    const Checked data = Checked{position.value} * etype_size_;
    if (!data.ok()) return Status{Code::overflow, "a position in the view exceeds 63 bits"};
    return ByteCount{data.value()};
}

Result<ByteOffset> FileView::byte_offset(EtypeOffset position) const {
    SHEAF_TRY(const ByteCount data, data_position(position));
    if (data >= visible()) return beyond(data.value, visible().value);
    return Cursor{tiles_, data, visible()}.piece().offset;
}

ByteCount FileView::data_before(ByteOffset file_offset) const {
    return view::data_before(tiles_, file_offset);
}

EtypeCount FileView::etypes_before(ByteOffset file_offset) const {
    return {divided_up(data_before(file_offset).value, etype_size_)};
}

EtypeOffset FileView::end_position(ByteCount file_size) const {
    return {etypes_before({file_size.value}).value};
}

Result<Cursor> FileView::cursor(ByteCount first, ByteCount count) const {
    SHEAF_ASSERT(first.value >= 0 && count.value >= 0);
    const Checked end = Checked{first.value} + count.value;
    if (!count.zero() && (!end.ok() || end.value() > visible().value)) {
        return beyond(end.ok() ? end.value() - 1 : kMost, visible().value);
    }
    const ByteCount begin = std::min(first, visible());
    return Cursor{tiles_, begin, begin + count};
}

Result<ByteRange> FileView::range_of(ByteCount first, ByteCount count) const {
    SHEAF_TRY(Cursor walk, cursor(first, count));
    if (walk.at_end()) return ByteRange{};
    const ByteOffset begin = walk.piece().offset;
    walk.seek(first + count - ByteCount{1});
    return ByteRange{begin, walk.piece().offset + ByteCount{1}};
}

ViewStatistics FileView::statistics() const {
    ViewStatistics result;
    const Layout& tile = filetype_.layout;
    if (tile.empty()) return result;
    result.contiguous = tiles_.contiguous();
    result.pieces = tile.pieces();
    result.mean_piece = tile.size().value / tile.pieces();
    const auto size = static_cast<double>(tile.size().value);
    const auto span = static_cast<double>(std::max(filetype_.extent, tile.bounds().size().value));
    result.hole_ratio = std::max(0.0, 1.0 - size / span);
    return result;
}

}  // namespace sheaf::view
