// SPDX-License-Identifier: BSD-3-Clause

/// Component fs/memory: files that live in the memory of one node and in no directory
/// ("memory:/name"), for scratch data and tests.
///
/// A file is a memfd. Every process that opened it keeps it under its name until MPI_File_delete or
/// its own end, so that closing and opening again finds the data. Rank 0 of an open must have
/// opened the file before; other processes get at it through /proc of rank 0.

#include <map>
#include <mutex>
#include <utility>

#include "base/assert.h"
#include "frameworks/components.h"
#include "frameworks/fs/descriptor_file.h"
#include "platform/descriptor.h"

namespace sheaf::fs {

namespace {

Facts memory_facts() {
    Facts facts;
    facts.storage = "memory";
    return facts;
}

/// The memory files that this process knows. Thread-safe.
class Directory {
public:
    /// The path under /proc by which any process of this node reaches `name`; makes the file when
    /// the request says so.
    Result<std::string> find_or_create(const OpenRequest& request) {
        const std::scoped_lock lock(mutex_);
        const auto known = files_.find(request.path);
        if (known != files_.end() && request.exclusive) {
            return Status{Code::file_exists, "open: the memory file exists"};
        }
        if (known != files_.end()) return platform::shared_path_of(known->second);
        if (!request.create) {
            return Status{Code::no_such_file,
                          "open: no memory file of this name in rank 0's process"};
        }
        SHEAF_TRY(platform::Descriptor file, platform::open_anonymous(request.path));
        std::string path = platform::shared_path_of(file);
        files_.emplace(request.path, std::move(file));
        return path;
    }

    /// Keeps the file at `locator`, which some process of this node holds, under `name`.
    Status remember(const std::string& name, const std::string& locator) {
        const std::scoped_lock lock(mutex_);
        const auto known = files_.find(name);
        // Held by this process: another descriptor in its place would end what `locator` names.
        if (known != files_.end() && platform::shared_path_of(known->second) == locator) return {};
        SHEAF_TRY(platform::Descriptor file,
                  platform::open_path(locator, {.read = true, .write = true}, 0));
        files_.insert_or_assign(name, std::move(file));
        return {};
    }

    Status remove(const std::string& name) {
        const std::scoped_lock lock(mutex_);
        if (files_.erase(name) == 1) return {};
        return {Code::no_such_file, "delete: no memory file of this name in this process"};
    }

private:
    std::mutex mutex_;
    std::map<std::string, platform::Descriptor> files_;
};

Directory& directory() {
    static Directory instance;
    return instance;
}

class MemoryFileSystem final : public FileSystem {
public:
    Result<Created> create(const OpenRequest& request) override {
        SHEAF_TRY(std::string locator, directory().find_or_create(request));
        SHEAF_TRY(auto file, open_located(locator, request));
        return Created{std::move(file), std::move(locator)};
    }

    Result<std::unique_ptr<OpenFile>> attach(const std::string& locator,
                                             const OpenRequest& request) override {
        SHEAF_CHECK(directory().remember(request.path, locator));
        return open_located(locator, request);
    }

    Status remove(const std::string& path) override { return directory().remove(path); }

private:
    static Result<std::unique_ptr<OpenFile>> open_located(const std::string& locator,
                                                          const OpenRequest& request) {
        SHEAF_TRY(platform::Descriptor descriptor,
                  platform::open_path(locator, {.read = true, .write = request.write}, 0));
        return make_descriptor_file(std::move(descriptor), memory_facts(), request.write);
    }
};

Bid bid(const Candidate& candidate) {
    if (candidate.prefix != "memory") return {std::nullopt, "serves names that begin with memory:"};
    if (!candidate.one_node) return {std::nullopt, "the ranks are on several nodes"};
    return {100, "the name begins with memory:"};
}

std::unique_ptr<FileSystem> make() {
    return std::make_unique<MemoryFileSystem>();
}

}  // namespace

const Component kMemory{"memory", "files in the memory of one node", bid, make};

}  // namespace sheaf::fs
