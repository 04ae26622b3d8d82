// SPDX-License-Identifier: BSD-3-Clause

// `sheaf info PATH`: the bids that an open of PATH would make, without opening anything.

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string>

#include "contracts/file_context.h"
#include "file/file_name.h"
#include "frameworks/components.h"
#include "hints/hint_set.h"
#include "platform/storage_facts.h"
#include "verbs.h"

namespace sheaf::tool {

namespace {

/// So many ranks, for bids: they ask how many there are and send nothing.
class PretendedRanks final : public mpi::Communicator {
public:
    explicit PretendedRanks(int size) : size_(size) {}
    [[nodiscard]] Rank rank() const override { return {0}; }
    [[nodiscard]] int size() const override { return size_; }
    Status all_reduce(std::span<std::int64_t>, mpi::Reduction) override { return {}; }
    Status broadcast(std::span<std::byte>, Rank) override { return {}; }
    Status all_gather(std::span<const std::byte>, std::span<std::byte>) override { return {}; }
    Status exchange(std::span<const mpi::Outgoing>, std::span<mpi::Incoming>) override {
        return {};
    }

private:
    int size_;
};

/// Nothing is transferred.
class NoTransfer final : public fbtl::ByteTransfer {
public:
    fbtl::Transferred read(std::span<const fbtl::TransferPiece>) override { return {}; }
    fbtl::Transferred write(std::span<const fbtl::TransferPiece>) override { return {}; }
};

struct ViewExample {
    const char* words;
    fcoll::ViewSummary summary;
};

constexpr std::array kExamples{
    ViewExample{"contiguous views", {true, ByteCount{1 << 20}, 0}},
    ViewExample{"pieces of 64 KiB", {false, ByteCount{64 << 10}, 0.5}},
    ViewExample{"pieces of 1 KiB", {false, ByteCount{1 << 10}, 0.5}},
    ViewExample{"pieces of 8 bytes", {false, ByteCount{8}, 0.5}},
};

void print_bid(std::string_view framework, std::string_view component, const Bid& bid) {
    const std::string priority = bid.priority ? std::to_string(*bid.priority) : "cannot";
    std::puts(fmt::format("  {:<6} {:<12} {:>6}  {}", framework, component, priority, bid.reason)
                  .c_str());
}

void print_collective_bids(const FileContext& file) {
    for (const ViewExample& example : kExamples) {
        std::puts(fmt::format("collective access, {}", example.words).c_str());
        for (const fcoll::Component* component : fcoll::components()) {
            print_bid("fcoll", component->name,
                      component->bid({file, example.summary, Direction::write}));
        }
    }
}

int print_hints() {
    for (const hints::HintRow& row : hints::hint_table()) {
        std::puts(fmt::format("{:<28} {:<10} {}", row.name, row.fallback, row.doc).c_str());
        for (const std::string_view alias : row.aliases)
            std::puts(fmt::format("  also {}", alias).c_str());
    }
    return 0;
}

std::optional<int> parse_ranks(std::string_view text) {
    int ranks = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), ranks);
    if (error != std::errc{} || rest != text.data() + text.size() || ranks < 1) return std::nullopt;
    return ranks;
}

int print_path(const std::string& name, int ranks) {
    const FileName parsed = parse_file_name(name);
    const Result<platform::StorageFacts> storage = platform::storage_facts(parsed.path);
    if (!storage.ok() && parsed.prefix.empty()) {
        std::fprintf(stderr, "sheaf: %s\n", std::string{storage.status().text()}.c_str());
        return 1;
    }
    fs::Facts facts;
    if (storage.ok()) facts = {storage->type, storage->node_local, {}, 1, storage->block_size};
    std::puts(fmt::format("{} on {} ranks of one node", name, ranks).c_str());
    if (parsed.prefix.empty()) {
        std::puts(fmt::format(
                      "storage {}: {}, blocks of {} bytes", facts.storage,
                      facts.node_local ? "local to this node" : "shared between nodes, or unknown",
                      facts.block_size.value)
                      .c_str());
    }
    std::puts("bids: the highest serves the file");
    for (const fs::Component* component : fs::components()) {
        print_bid("fs", component->name, component->bid({parsed.path, parsed.prefix, true}));
    }
    PretendedRanks communicator(ranks);
    NoTransfer transfer;
    const hints::HintSet hints;
    print_collective_bids(
        {communicator, parsed.path, hints, facts, transfer, ranks, platform::usable_cores()});
    return 0;
}

}  // namespace

int info_verb(Arguments arguments) {
    if (arguments.size() == 1 && std::string_view(arguments[0]) == "--hints") return print_hints();
    std::optional<int> ranks = 4;
    if (arguments.size() == 3 && std::string_view(arguments[1]) == "--ranks")
        ranks = parse_ranks(arguments[2]);
    if ((arguments.size() != 1 && arguments.size() != 3) || !ranks || arguments[0][0] == '-') {
        std::fputs("usage: sheaf info PATH [--ranks N] | sheaf info --hints\n", stderr);
        return kOwnFailure;
    }
    return print_path(arguments[0], *ranks);
}

}  // namespace sheaf::tool
