// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "type.h"

namespace model {

/// What one rank sees of the file: a stream of etypes.
struct View {
    std::int64_t displacement = 0;
    TypePtr etype;
    TypePtr filetype;
};

View byte_view(std::int64_t displacement);

/// Where the bytes [begin, begin + length) of the view's stream lie in the file, in stream order.
std::vector<Run> map_stream(const View& view, std::int64_t begin, std::int64_t length);

/// The file offset at which etype number `index` of the view starts.
std::int64_t etype_start(const View& view, std::int64_t index);

/// End of file in etypes, as MPI_SEEK_END counts: the first etype that starts at or behind `size`.
std::int64_t end_of_file(const View& view, std::int64_t size);

/// The file as it must be: bytes, and which of them the standard leaves undefined.
class FileImage {
public:
    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(bytes_.size()); }
    [[nodiscard]] std::uint8_t at(std::int64_t offset) const { return bytes_[index(offset)]; }
    [[nodiscard]] bool is_defined(std::int64_t offset) const {
        return undefined_.empty() || !undefined_[index(offset)];
    }

    /// What peers do: holes that a write leaves behind the old end of file may hold anything.
    void set_holes_undefined(bool value) { holes_undefined_ = value; }

    void write(std::int64_t offset, std::uint8_t byte);
    void resize(std::int64_t size);
    /// Grows to `size` at least; new bytes are undefined until written.
    void preallocate(std::int64_t size);

private:
    static std::size_t index(std::int64_t offset) { return static_cast<std::size_t>(offset); }

    std::vector<std::uint8_t> bytes_;
    std::vector<bool> undefined_;  ///< Empty: every byte is defined.
    bool holes_undefined_ = false;
};

/// Which ranks touched which bytes since the ranks last made their writes visible to each other.
///
/// MPI determines the result of conflicting accesses of different ranks only when sync, barrier
/// and sync stand between them (MPI 4.1, 14.6.1).
class Conflicts {
public:
    [[nodiscard]] bool clashes(int rank, bool writes, const std::vector<Run>& runs) const;
    void note(int rank, bool writes, const std::vector<Run>& runs);
    /// Adds what `other` has noted.
    void merge(const Conflicts& other);
    void clear();

private:
    struct Touch {
        std::uint8_t writers = 0;
        std::uint8_t readers = 0;
    };
    std::vector<Touch> touches_;
};

}  // namespace model
