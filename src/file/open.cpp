// SPDX-License-Identifier: BSD-3-Clause

/// Opening and closing a file: agreement, choice of components, tear-down.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "base/assert.h"
#include "coord/agreement.h"
#include "file/file.h"
#include "file/file_name.h"
#include "frameworks/components.h"
#include "frameworks/fault.h"
#include "frameworks/selector.h"
#include "platform/environment.h"
#include "platform/storage_facts.h"
#include "trace/ring.h"

namespace sheaf {

namespace {

constexpr std::size_t kLongestPath = 4095;

std::int64_t as_signed(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}

/// The hints of the file that `variable` names, if it does and the file can be read.
std::vector<hints::Given> hints_from(std::string_view variable, hints::HintSet& hints) {
    const auto path = platform::environment(variable);
    if (!path) return {};
    auto given = hints::read_hint_file(*path);
    if (given.ok()) return std::move(given).value();
    hints.reject_source(*path, std::string(given.status().text()));
    return {};
}

/// Hints of all sources, weakest first.
void gather_hints(hints::HintSet& hints, const std::vector<hints::Given>& info) {
    for (const std::string_view variable : {"ROMIO_HINTS", "SHEAF_HINTS"}) {
        hints.set(hints_from(variable, hints), variable, hints::Changes::at_open);
    }
    hints.force(hints_from("SHEAF_HINTS_FORCE", hints), "SHEAF_HINTS_FORCE");
    hints.set(info, "info", hints::Changes::at_open);
}

Status validate(const OpenArguments& arguments, const std::string& path) {
    SHEAF_CHECK(arguments.mode.validate());
    if (path.empty()) return {Code::bad_file, "open: the file name is empty"};
    if (path.size() > kLongestPath)
        return {Code::bad_file, "open: the file name is longer than 4095 bytes"};
    return {};
}

Result<unsigned> parse_permissions(const std::string& text) {
    const bool octal = !text.empty() && text.size() <= 5 &&
                       text.find_first_not_of("01234567") == std::string::npos;
    if (!octal) return Status{Code::info, "file_perm: octal digits expected, as 0644"};
    return static_cast<unsigned>(std::stoul(text, nullptr, 8)) & 07777U;
}

}  // namespace

File::File(std::unique_ptr<mpi::Communicator> communicator, const OpenArguments& arguments)
    : communicator_(std::move(communicator)), mode_(arguments.mode) {
    const FileName name = parse_file_name(arguments.name);
    prefix_ = name.prefix;
    path_ = name.path;
    gather_hints(hints_, arguments.info);
}

File::~File() = default;

Result<std::unique_ptr<File>> File::open(std::unique_ptr<mpi::Communicator> communicator,
                                         OpenArguments arguments, Status precondition) {
    SHEAF_ASSERT(communicator != nullptr);
    std::unique_ptr<File> file(new File(std::move(communicator), arguments));
    precondition.update(validate(arguments, file->path_));
    Status status = file->agree_on_arguments(std::move(precondition));
    // Each step ends in an agreement, so all ranks leave this chain at the same place.
    if (status.ok()) status = file->choose_file_system(file->prefix_);
    if (status.ok()) status = file->open_storage();
    if (status.ok()) status = file->choose_transfer();
    if (status.ok()) status = file->adopt_view(view::FileView(), {});
    if (status.ok()) status = file->place_pointer();
    if (!status.ok()) return file->in_context(std::move(status));
    trace::record(trace::Event::open, 0, file->communicator_->size());
    return file;
}

Status File::agree_on_arguments(Status precondition) {
    const std::int64_t amode = mode_.flags;
    const std::int64_t fingerprint = as_signed(hints_.fingerprint());
    const std::int64_t node = as_signed(std::hash<std::string>{}(platform::host_name()));
    std::array<std::int64_t, 7> ends{
        amode, ~amode, fingerprint, ~fingerprint, node, ~node, platform::usable_cores()};
    SHEAF_CHECK(coord::agree(*communicator_, std::move(precondition), ends));
    if (ends[0] != ~ends[1]) return {Code::not_same, "open: the access mode differs among ranks"};
    one_node_ = ends[4] == ~ends[5];
    cores_here_ = static_cast<int>(ends[6]);
    ranks_here_ = communicator_->size();
    if (!one_node_) {
        std::vector<std::int64_t> nodes(static_cast<std::size_t>(communicator_->size()));
        SHEAF_CHECK(communicator_->all_gather(std::as_bytes(std::span(&node, 1)),
                                              std::as_writable_bytes(std::span(nodes))));
        // The fewest ranks that any node has: the same number on all ranks.
        for (const std::int64_t name : nodes) {
            ranks_here_ = std::min(ranks_here_, static_cast<int>(std::ranges::count(nodes, name)));
        }
    }
    return ends[2] == ~ends[3] ? Status{} : adopt_hints();
}

Status File::adopt_hints() {
    std::string values = hints_.encode();
    SHEAF_CHECK(mpi::broadcast_text(*communicator_, values, Rank{0}));
    hints_.decode(values);
    return {};
}

Status File::choose_file_system(const std::string& prefix) {
    const std::array<fs::Candidate, 1> candidate{fs::Candidate{path_, prefix, one_node_}};
    SHEAF_TRY(const auto chosen,
              select<fs::Component, fs::Candidate>(fs::components(), candidate,
                                                   hints_.word("sheaf_fs"), *communicator_));
    file_system_ = chosen[0].component->make();
    note("fs", chosen[0].component->name, chosen[0].reason);
    return {};
}

Status File::open_storage() {
    // Rank 0 alone creates; the others learn by its outcome where to find the file.
    Status mine;
    std::string locator;
    fs::OpenRequest request{path_,
                            mode_.reads(),
                            mode_.writes(),
                            mode_.has(AccessMode::create),
                            mode_.has(AccessMode::exclusive),
                            0666};
    if (communicator_->rank() == Rank{0}) {
        auto permissions = parse_permissions(hints_.word("file_perm"));
        if (permissions.ok()) request.permissions = *permissions;
        auto created = permissions.ok() ? file_system_->create(request)
                                        : Result<fs::Created>(std::move(permissions).status());
        if (created.ok()) {
            storage_ = std::move(created->file);
            locator = created->locator;
        } else {
            mine = std::move(created).status();
        }
    }
    SHEAF_CHECK(coord::agree(*communicator_, std::move(mine)));
    if (communicator_->size() > 1)
        SHEAF_CHECK(mpi::broadcast_text(*communicator_, locator, Rank{0}));
    return attach_storage(locator);
}

Status File::attach_storage(const std::string& locator) {
    Status mine;
    if (storage_ == nullptr) {
        const fs::OpenRequest request{path_, mode_.reads(), mode_.writes(), false, false, 0666};
        auto attached = file_system_->attach(locator, request);
        if (attached.ok())
            storage_ = std::move(attached).value();
        else
            mine = std::move(attached).status();
    }
    if (storage_ != nullptr) facts_ = storage_->facts();
    // Algorithms are chosen from facts, so the facts are agreed: the most cautious of any rank.
    std::array<std::int64_t, 5> cautious{facts_.node_local ? 1 : 0, facts_.readable ? 1 : 0,
                                         -facts_.stripe_size.value, -facts_.block_size.value,
                                         facts_.stripe_count};
    SHEAF_CHECK(coord::agree(*communicator_, std::move(mine), cautious));
    facts_.node_local = cautious[0] == 1;
    facts_.readable = cautious[1] == 1;
    facts_.stripe_size = {-cautious[2]};
    facts_.block_size = {-cautious[3]};
    facts_.stripe_count = static_cast<int>(cautious[4]);
    storage_ = fs::with_faults(std::move(storage_), communicator_->rank());
    return {};
}

Status File::choose_transfer() {
    const std::array<const fs::OpenFile*, 1> subject{storage_.get()};
    SHEAF_TRY(const auto chosen,
              select<fbtl::Component, const fs::OpenFile*>(
                  fbtl::components(), subject, hints_.word("sheaf_fbtl"), *communicator_));
    transfer_ = fbtl::with_faults(chosen[0].component->make(*storage_), communicator_->rank());
    context_ = std::make_unique<FileContext>(
        FileContext{*communicator_, path_, hints_, facts_, *transfer_, ranks_here_, cores_here_});
    note("fbtl", chosen[0].component->name, chosen[0].reason);
    return {};
}

Status File::place_pointer() {
    if (!mode_.has(AccessMode::append)) return {};
    Status mine;
    const auto end = storage_->size();
    if (end.ok())
        position_.store(view().end_position(*end).value, std::memory_order_relaxed);
    else
        mine = end.status();
    return coord::agree(*communicator_, std::move(mine));
}

Status File::close() {
    SHEAF_ASSERT(storage_ != nullptr && view_ != nullptr);
    trace::record(trace::Event::close);
    Status status = coord::agree(*communicator_, storage_->close());
    if (mode_.has(AccessMode::delete_on_close)) {
        Status removed;
        if (communicator_->rank() == Rank{0}) removed = file_system_->remove(path_);
        status.update(coord::agree(*communicator_, std::move(removed)));
    }
    return in_context(std::move(status));
}

Status File::remove(const std::string& name) {
    const FileName parsed = parse_file_name(name);
    const fs::Candidate candidate{parsed.path, parsed.prefix, true};
    for (const fs::Component* component : fs::components()) {
        if (!component->bid(candidate).priority) continue;
        return component->make()->remove(parsed.path).with_context(parsed.path);
    }
    return {Code::unsupported_operation, parsed.path + ": delete: no component serves this name"};
}

void File::note(std::string_view framework, std::string_view component, const std::string& reason) {
    std::erase_if(choices_, [&](const Choice& choice) { return choice.framework == framework; });
    choices_.push_back({std::string(framework), std::string(component), reason});
}

Status File::in_context(Status status) const {
    if (status.ok()) return status;
    // An agreed failure names the rank it comes from already (coord/agreement.h); this one is ours.
    if (!status.text().starts_with("rank ")) {
        status = std::move(status).with_context(coord::name_of(communicator_->rank()));
    }
    return std::move(status).with_context(path_);
}

}  // namespace sheaf
