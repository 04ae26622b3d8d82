// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// A file in memory, seen byte by byte: what transfers are tested on.

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/types.h"
#include "contracts/fbtl.h"
#include "contracts/fcoll.h"
#include "support/bytes.h"

namespace sheaf::testing {

/// The bytes of one file, shared by all ranks. Remembers which bytes were ever written.
/// Thread-safe.
class ByteStore {
public:
    explicit ByteStore(Bytes bytes = {}) : bytes_(std::move(bytes)), written_(bytes_.size()) {}

    /// Copies out what there is; returns how much.
    ByteCount read(ByteOffset at, std::span<std::byte> out);
    void write(ByteOffset at, std::span<const std::byte> in);

    [[nodiscard]] Bytes bytes() const;
    /// Whether each byte of the file was written since the beginning.
    [[nodiscard]] std::vector<bool> written() const;

private:
    mutable std::mutex mutex_;
    Bytes bytes_;
    std::vector<bool> written_;
};

/// What goes wrong on one rank: the `nth` read (or write), from 1.
struct Trouble {
    Direction direction = Direction::write;
    std::int64_t nth = 1;
    Status failure;
};

/// One rank's transfer to a store: counts the calls, fails on demand. Thread-confined.
class StoreTransfer final : public fbtl::ByteTransfer {
public:
    explicit StoreTransfer(ByteStore& store) : store_(store) {}

    void arm(Trouble trouble) { trouble_ = std::move(trouble); }
    [[nodiscard]] std::int64_t reads() const { return reads_; }
    [[nodiscard]] std::int64_t writes() const { return writes_; }
    [[nodiscard]] bool fired() const { return fired_; }
    /// File range of every piece that was asked for, in order.
    [[nodiscard]] const std::vector<ByteRange>& asked() const { return asked_; }

    fbtl::Transferred read(std::span<const fbtl::TransferPiece> pieces) override;
    fbtl::Transferred write(std::span<const fbtl::TransferPiece> pieces) override;

private:
    /// The failure that is due at this call.
    Status due(Direction direction, std::int64_t use);
    void note(std::span<const fbtl::TransferPiece> pieces);

    ByteStore& store_;
    std::optional<Trouble> trouble_;
    std::int64_t reads_ = 0;
    std::int64_t writes_ = 0;
    bool fired_ = false;
    std::vector<ByteRange> asked_;
};

}  // namespace sheaf::testing
