// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// FileView: what a rank sees of the file, and where in the file it is.

#include <cstdint>

#include "base/result.h"
#include "base/status.h"
#include "base/types.h"
#include "view/cursor.h"
#include "view/layout.h"

namespace sheaf::view {

/// A datatype as a view needs it.
struct ViewType {
    Layout layout;
    std::int64_t extent = 0;
};

/// What the choice of an algorithm wants to know of a view.
struct ViewStatistics {
    bool contiguous = false;      // All bytes from the displacement on.
    std::int64_t pieces = 0;      // Pieces in one tile, saturated.
    std::int64_t mean_piece = 0;  // Bytes; 0 when nothing can be seen.
    double hole_ratio = 0;        // Share of the tile's span that cannot be seen, in [0, 1].
};

/// A file view: displacement, etype, and the filetype tiled for ever (MPI 4.1, 14.3). Positions
/// are etypes; data positions are bytes counted without holes.
///
/// Immutable; copying shares the trees. Thread-compatible.
class FileView {
public:
    /// The default view: bytes from 0 on.
    FileView();

    /// Checks what MPI 4.1, 14.3 demands: displacement not negative; etype not empty; filetype made
    /// of whole etypes, nothing before its displacement, monotone; nothing visible twice when
    /// `writable`. A filetype without data is a view that shows nothing.
    ///
    /// Fails with Code::argument or Code::datatype. Tiles that would interleave (extent below the
    /// span of the data) leave one tile visible: see visible().
    [[nodiscard]] static Result<FileView> make(ByteOffset displacement, const ViewType& etype,
                                               const ViewType& filetype, bool writable);

    [[nodiscard]] ByteOffset displacement() const { return displacement_; }
    [[nodiscard]] ByteCount etype_size() const { return {etype_size_}; }
    [[nodiscard]] std::int64_t etype_extent() const { return etype_extent_; }
    /// All tiles, offsets from the beginning of the file.
    [[nodiscard]] const Layout& tiles() const { return tiles_; }
    /// One filetype, offsets from the displacement; and the distance of two.
    [[nodiscard]] const ViewType& filetype() const { return filetype_; }
    /// Data bytes that can be seen at all; for ordinary views limited by 63 bits only.
    [[nodiscard]] ByteCount visible() const { return tiles_.size(); }
    /// Some byte of the file can be seen twice (a view for reading only).
    [[nodiscard]] bool overlaps() const { return tiles_.may_overlap(); }

    /// Data position of an etype; Code::argument when negative, Code::overflow beyond 63 bits.
    [[nodiscard]] Result<ByteCount> data_position(EtypeOffset position) const;

    /// Where in the file the etype at `position` begins. Fails with Code::argument beyond
    /// visible().
    [[nodiscard]] Result<ByteOffset> byte_offset(EtypeOffset position) const;

    /// Data bytes before a place in the file.
    [[nodiscard]] ByteCount data_before(ByteOffset file_offset) const;

    /// Etypes that begin before a place in the file, one in part included.
    [[nodiscard]] EtypeCount etypes_before(ByteOffset file_offset) const;

    /// Where MPI_SEEK_END counts from: the first etype that begins at or after the file's end
    /// (MPI 4.1, 14.1, "end of file").
    [[nodiscard]] EtypeOffset end_position(ByteCount file_size) const;

    /// Walks `count` data bytes from data position `first`. Fails with Code::argument when they
    /// reach beyond visible().
    [[nodiscard]] Result<Cursor> cursor(ByteCount first, ByteCount count) const;

    /// The smallest range of the file that holds these data bytes; empty when count is 0.
    [[nodiscard]] Result<ByteRange> range_of(ByteCount first, ByteCount count) const;

    [[nodiscard]] ViewStatistics statistics() const;

private:
    ByteOffset displacement_{};
    std::int64_t etype_size_ = 1;
    std::int64_t etype_extent_ = 1;
    ViewType filetype_;
    Layout tiles_;
};

}  // namespace sheaf::view
