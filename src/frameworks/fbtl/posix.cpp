// SPDX-License-Identifier: BSD-3-Clause

/// Component fbtl/posix: preadv and pwritev, through libc, so that tools which watch libc see them.

#include "base/assert.h"
#include "frameworks/components.h"
#include "frameworks/fbtl/vector_transfer.h"
#include "platform/descriptor.h"

namespace sheaf::fbtl {

namespace {

class PosixTransfer final : public ByteTransfer {
public:
    explicit PosixTransfer(int descriptor) : descriptor_(descriptor) {
        SHEAF_ASSERT(descriptor >= 0);
    }

    Transferred read(std::span<const TransferPiece> pieces) override {
        return transfer_pieces(pieces, "read",
                               [this](std::span<const iovec> memory, ByteOffset at) {
                                   return platform::read_vector(descriptor_, memory, at);
                               });
    }

    Transferred write(std::span<const TransferPiece> pieces) override {
        return transfer_pieces(pieces, "write",
                               [this](std::span<const iovec> memory, ByteOffset at) {
                                   return platform::write_vector(descriptor_, memory, at);
                               });
    }

private:
    int descriptor_;
};

Bid bid(const fs::OpenFile* const& file) {
    if (file->descriptor() < 0) return {std::nullopt, "the file has no descriptor"};
    return {50, "preadv and pwritev on the file's descriptor"};
}

std::unique_ptr<ByteTransfer> make(fs::OpenFile& file) {
    return std::make_unique<PosixTransfer>(file.descriptor());
}

}  // namespace

const Component kPosix{"posix", "preadv and pwritev", bid, make};

}  // namespace sheaf::fbtl
