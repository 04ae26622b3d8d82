// SPDX-License-Identifier: BSD-3-Clause

/// Component fs/posix: files of the operating system, whatever file system they are on.

#include <utility>

#include "base/assert.h"
#include "frameworks/components.h"
#include "frameworks/fs/descriptor_file.h"
#include "platform/descriptor.h"
#include "platform/storage_facts.h"

namespace sheaf::fs {

namespace {

Facts facts_of(const std::string& path) {
    Facts facts;
    const auto storage = platform::storage_facts(path);
    if (!storage.ok()) return facts;  // The open went well, so this only costs us knowledge.
    facts.storage = storage->type;
    facts.node_local = storage->node_local;
    facts.block_size = storage->block_size;
    return facts;
}

platform::OpenFlags flags_of(const OpenRequest& request) {
    SHEAF_ASSERT(request.read || request.write);
    return {request.read, request.write, request.create, request.exclusive};
}

/// Files for writing only are opened for reading too where that is permitted, so that collective
/// writes can read holes back; the access mode itself is enforced above.
Result<std::unique_ptr<OpenFile>> open_posix(const std::string& path, platform::OpenFlags flags,
                                             unsigned permissions) {
    const bool write_only = !flags.read;
    flags.read = true;
    auto descriptor = platform::open_path(path, flags, permissions);
    if (write_only && !descriptor.ok() && descriptor.status().code() == Code::access) {
        flags.read = false;
        descriptor = platform::open_path(path, flags, permissions);
    }
    if (!descriptor.ok()) return std::move(descriptor).status();
    Facts facts = facts_of(path);
    facts.readable = flags.read;
    return make_descriptor_file(std::move(descriptor).value(), std::move(facts), flags.write);
}

class PosixFileSystem final : public FileSystem {
public:
    Result<Created> create(const OpenRequest& request) override {
        SHEAF_TRY(auto file, open_posix(request.path, flags_of(request), request.permissions));
        return Created{std::move(file), request.path};
    }

    /// Uses this rank's own spelling of the path: working directories and links may differ among
    /// ranks (MPI 4.1, 14.2.1).
    Result<std::unique_ptr<OpenFile>> attach(const std::string& /*locator*/,
                                             const OpenRequest& request) override {
        platform::OpenFlags flags = flags_of(request);
        flags.create = flags.exclusive = false;
        return open_posix(request.path, flags, 0);
    }

    Status remove(const std::string& path) override { return platform::remove_path(path); }
};

Bid bid(const Candidate& candidate) {
    if (candidate.prefix.empty()) return {50, "a path of the operating system"};
    return {std::nullopt, "prefix " + candidate.prefix + ": names no path"};
}

std::unique_ptr<FileSystem> make() {
    return std::make_unique<PosixFileSystem>();
}

}  // namespace

const Component kPosix{"posix", "files of the operating system", bid, make};

}  // namespace sheaf::fs
