// SPDX-License-Identifier: BSD-3-Clause

/// Component fbtl/template: copy this file to start a component of framework fbtl.
///
/// It compiles and passes tests/conformance/fbtl; it is built into the test programs only. Change,
/// in this order, and run the conformance tests after each step:
///   1. the names: the file, kTemplate, "template", the summary; put `kYours` into components.h and
///      components.cpp, and the file into src/CMakeLists.txt;
///   2. bid(): which files you can serve (here: those that have a descriptor);
///   3. move_some(): one call of your storage, which may move fewer bytes than asked;
///   4. only if your storage takes lists: hand several pieces over at once. Whoever has a call like
///      preadv uses transfer_pieces() of vector_transfer.h in place of the loops below.

#include <fmt/format.h>
#include <sys/uio.h>

#include "base/assert.h"
#include "contracts/fbtl.h"
#include "platform/descriptor.h"
#include "platform/system_error.h"
#include "trace/ring.h"

namespace sheaf::fbtl {

namespace {

class TemplateTransfer final : public ByteTransfer {
public:
    explicit TemplateTransfer(int descriptor) : descriptor_(descriptor) {
        SHEAF_ASSERT(descriptor >= 0);
    }

    Transferred read(std::span<const TransferPiece> pieces) override {
        return move_all(pieces, "read");
    }
    Transferred write(std::span<const TransferPiece> pieces) override {
        return move_all(pieces, "write");
    }

private:
    /// `bytes` tells the prefix of the whole list that moved, so the first piece that comes up
    /// short ends the call: at end of file as well as on a failure.
    Transferred move_all(std::span<const TransferPiece> pieces, std::string_view operation) {
        Transferred total;
        for (const TransferPiece& piece : pieces) {
            Transferred moved = move_piece(piece, operation);
            trace::record(
                operation == "read" ? trace::Event::storage_read : trace::Event::storage_write,
                piece.file_offset.value, piece.length.value, moved.bytes.value);
            total.bytes += moved.bytes;
            total.status = std::move(moved.status);
            if (!total.status.ok() || moved.bytes < piece.length) break;
        }
        return total;
    }

    /// Storage may stop short or be interrupted at any time: both only mean "go on".
    Transferred move_piece(const TransferPiece& piece, std::string_view operation) {
        ByteCount done;
        while (done < piece.length) {
            const std::int64_t result = move_some(piece, done, operation);
            if (platform::is_retryable(result)) continue;
            if (result == 0 && operation == "read") break;  // End of file: an outcome, no failure.
            if (result <= 0) return {done, failure(piece, done, operation, result)};
            done += ByteCount{result};
        }
        return {done, {}};
    }

    /// Step 3. Moves bytes of the piece from `done` on: how many, 0 at end of file, or -errno.
    std::int64_t move_some(const TransferPiece& piece, ByteCount done, std::string_view operation) {
        const auto left = static_cast<std::size_t>((piece.length - done).value);
        const iovec memory{piece.memory + done.value, left};
        const ByteOffset at = piece.file_offset + done;
        return operation == "read" ? platform::read_vector(descriptor_, {&memory, 1}, at)
                                   : platform::write_vector(descriptor_, {&memory, 1}, at);
    }

    /// A failure says what was asked for, and where it stopped.
    static Status failure(const TransferPiece& piece, ByteCount done, std::string_view operation,
                          std::int64_t result) {
        const std::string what =
            fmt::format("{} of bytes [{}, {})", operation, (piece.file_offset + done).value,
                        (piece.file_offset + piece.length).value);
        if (result == 0) return {Code::no_space, what + ": storage took nothing"};
        return platform::system_failure(static_cast<int>(-result), what);
    }

    int descriptor_;
};

/// Step 2.
Bid bid(const fs::OpenFile* const& file) {
    if (file->descriptor() < 0) return {std::nullopt, "the file has no descriptor"};
    return {1, "a system call for each piece"};
}

std::unique_ptr<ByteTransfer> make(fs::OpenFile& file) {
    return std::make_unique<TemplateTransfer>(file.descriptor());
}

}  // namespace

// Step 1. In a component that is built in, the declaration stands in components.h.
extern const Component kTemplate;
const Component kTemplate{"template", "to be copied", bid, make};

}  // namespace sheaf::fbtl
