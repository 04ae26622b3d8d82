// SPDX-License-Identifier: BSD-3-Clause
#include "frameworks/fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <limits>
#include <utility>

#include "base/assert.h"
#include "platform/console.h"
#include "platform/environment.h"
#include "platform/system_error.h"
#include "trace/ring.h"

namespace sheaf {

namespace {

constexpr std::array<std::string_view, 7> kFileCalls{"size",  "resize", "preallocate", "sync",
                                                     "close", "read",   "write"};

Status malformed(std::string_view text) {
    return {Code::argument,
            "SHEAF_FAULT: \"" + std::string(text) +
                "\": expected CALL:ERRNO[@rank=R][,nth=N], separated by semicolons, with CALL one "
                "of size, resize, preallocate, sync, close, read, write and nth=0 for every time"};
}

/// Splits off what stands before `separator`.
std::string_view split(std::string_view& text, char separator) {
    const auto end = text.find(separator);
    const std::string_view head = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return head;
}

bool parse_setting(std::string_view setting, Fault& fault) {
    const std::string_view name = split(setting, '=');
    std::int64_t value = -1;
    const auto [rest, error] =
        std::from_chars(setting.data(), setting.data() + setting.size(), value);
    if (error != std::errc{} || rest != setting.data() + setting.size() || value < 0) return false;
    if (name == "rank" && value > std::numeric_limits<int>::max()) return false;
    if (name == "rank") fault.rank = Rank{static_cast<int>(value)};
    if (name == "nth") fault.nth = value;
    return name == "rank" || name == "nth";
}

Result<Fault> parse_fault(std::string_view text) {
    const std::string_view whole = text;
    Fault fault;
    std::string_view what = split(text, '@');
    fault.call = split(what, ':');
    const auto error = platform::system_error_value(what);
    if (!error || std::ranges::find(kFileCalls, fault.call) == kFileCalls.end())
        return malformed(whole);
    fault.error = *error;
    while (!text.empty()) {
        if (!parse_setting(split(text, ','), fault)) return malformed(whole);
    }
    return fault;
}

/// The faults that concern one open file on one rank, with their counters. Thread-safe.
class FaultPlan {
public:
    explicit FaultPlan(std::vector<Fault> faults)
        : faults_(std::move(faults)), uses_(faults_.size()) {}

    /// OK, or the failure that is due at this use of `call`; it names `bytes`, if any.
    Status next(std::string_view call, const ByteRange& bytes = {}) {
        Status due;
        for (std::size_t i = 0; i < faults_.size(); ++i) {
            if (faults_[i].call != call) continue;
            // Relaxed: a counter of its own.
            const std::int64_t use = uses_[i].fetch_add(1, std::memory_order_relaxed) + 1;
            if (faults_[i].nth != 0 && faults_[i].nth != use) continue;
            trace::record(trace::Event::fault_injected, 0, faults_[i].error, use);
            const std::string where =
                bytes.empty()
                    ? std::string{}
                    : fmt::format(" of bytes [{}, {})", bytes.begin.value, bytes.end.value);
            due.update(platform::system_failure(faults_[i].error,
                                                fmt::format("{}{} (injected)", call, where)));
        }
        return due;
    }

private:
    std::vector<Fault> faults_;
    std::vector<std::atomic<std::int64_t>> uses_;
};

class FaultyFile final : public fs::OpenFile {
public:
    FaultyFile(std::unique_ptr<fs::OpenFile> file, std::vector<Fault> faults)
        : file_(std::move(file)), plan_(std::move(faults)) {
        SHEAF_ASSERT(file_ != nullptr);
    }

    Result<ByteCount> size() override {
        SHEAF_CHECK(plan_.next("size"));
        return file_->size();
    }
    Status resize(ByteCount size) override {
        SHEAF_CHECK(plan_.next("resize"));
        return file_->resize(size);
    }
    Status preallocate(ByteCount size) override {
        SHEAF_CHECK(plan_.next("preallocate"));
        return file_->preallocate(size);
    }
    Status sync() override {
        SHEAF_CHECK(plan_.next("sync"));
        return file_->sync();
    }
    Status close() override {
        // The file is closed all the same: a failed close() leaves nothing open.
        Status due = plan_.next("close");
        due.update(file_->close());
        return due;
    }
    [[nodiscard]] const fs::Facts& facts() const override { return file_->facts(); }
    [[nodiscard]] int descriptor() const override { return file_->descriptor(); }

private:
    std::unique_ptr<fs::OpenFile> file_;
    FaultPlan plan_;
};

/// From the beginning of the first to the end of the last: pieces come in file order.
ByteRange span_of(std::span<const fbtl::TransferPiece> pieces) {
    if (pieces.empty()) return {};
    return {pieces.front().file_offset, pieces.back().file_offset + pieces.back().length};
}

class FaultyTransfer final : public fbtl::ByteTransfer {
public:
    FaultyTransfer(std::unique_ptr<fbtl::ByteTransfer> transfer, std::vector<Fault> faults)
        : transfer_(std::move(transfer)), plan_(std::move(faults)) {
        SHEAF_ASSERT(transfer_ != nullptr);
    }

    fbtl::Transferred read(std::span<const fbtl::TransferPiece> pieces) override {
        if (Status due = plan_.next("read", span_of(pieces)); !due.ok()) return {{}, due};
        return transfer_->read(pieces);
    }
    fbtl::Transferred write(std::span<const fbtl::TransferPiece> pieces) override {
        if (Status due = plan_.next("write", span_of(pieces)); !due.ok()) return {{}, due};
        return transfer_->write(pieces);
    }

private:
    std::unique_ptr<fbtl::ByteTransfer> transfer_;
    FaultPlan plan_;
};

/// What SHEAF_FAULT says for this rank; a text that cannot be read is reported and injects nothing.
std::vector<Fault> faults_for(Rank rank) {
    const auto text = platform::environment("SHEAF_FAULT");
    if (!text) return {};
    auto faults = parse_faults(*text);
    if (!faults.ok()) {
        if (rank == Rank{0}) platform::say(faults.status().text());
        return {};
    }
    std::erase_if(*faults, [&](const Fault& fault) { return fault.rank && *fault.rank != rank; });
    return std::move(faults).value();
}

}  // namespace

Result<std::vector<Fault>> parse_faults(std::string_view text) {
    std::vector<Fault> faults;
    while (!text.empty()) {
        SHEAF_TRY(Fault fault, parse_fault(split(text, ';')));
        faults.push_back(std::move(fault));
    }
    return faults;
}

std::unique_ptr<fs::OpenFile> fs::with_faults(std::unique_ptr<OpenFile> file, Rank rank) {
    std::vector<Fault> faults = faults_for(rank);
    if (faults.empty()) return file;
    return std::make_unique<FaultyFile>(std::move(file), std::move(faults));
}

std::unique_ptr<fbtl::ByteTransfer> fbtl::with_faults(std::unique_ptr<ByteTransfer> transfer,
                                                      Rank rank) {
    std::vector<Fault> faults = faults_for(rank);
    if (faults.empty()) return transfer;
    return std::make_unique<FaultyTransfer>(std::move(transfer), std::move(faults));
}

}  // namespace sheaf
