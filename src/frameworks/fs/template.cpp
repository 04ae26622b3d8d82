// SPDX-License-Identifier: BSD-3-Clause

/// Component fs/template: copy this file to start a component of framework fs.
///
/// It compiles and passes tests/conformance/fs; it is built into the test programs only. Change, in
/// this order, and run the conformance tests after each step:
///   1. the names: the file, kTemplate, "template", the summary; put `kYours` into components.h and
///      components.cpp, and the file into src/CMakeLists.txt;
///   2. bid(): from facts alone, without side effects; the reason is what users read;
///   3. create() and attach(): what brings a file into being, and what the other ranks need to find
///      it (the locator);
///   4. remove();
///   5. TemplateFile, call by call: each one forwards to a file of the kernel until you replace it.

#include <utility>

#include "base/assert.h"
#include "contracts/fs.h"
#include "frameworks/fs/descriptor_file.h"
#include "platform/descriptor.h"

namespace sheaf::fs {

namespace {

/// Step 5. Keep what a storage system's client library gave you (a connection, a file handle) in
/// here, in an owner of its own (base/unique_handle.h). Any thread of the rank may call at any
/// time.
class TemplateFile final : public OpenFile {
public:
    explicit TemplateFile(std::unique_ptr<OpenFile> inner) : inner_(std::move(inner)) {
        SHEAF_ASSERT(inner_ != nullptr);
        facts_.storage = "template";
        // Of what is given here algorithms are chosen: set node_local to false for anything behind
        // a network, and the stripes where the storage has some.
        facts_.node_local = inner_->facts().node_local;
        facts_.block_size = inner_->facts().block_size;
    }

    Result<ByteCount> size() override { return inner_->size(); }
    Status resize(ByteCount size) override { return inner_->resize(size); }
    /// Storage that cannot reserve space says Code::unsupported_operation; it must not write zeros.
    Status preallocate(ByteCount size) override { return inner_->preallocate(size); }
    Status sync() override { return inner_->sync(); }
    /// The place for errors that the storage kept back until now.
    Status close() override { return inner_->close(); }
    [[nodiscard]] const Facts& facts() const override { return facts_; }
    /// -1 without a kernel's file; then a component of fbtl of your own has to move the bytes.
    [[nodiscard]] int descriptor() const override { return inner_->descriptor(); }

private:
    std::unique_ptr<OpenFile> inner_;
    Facts facts_;
};

Result<std::unique_ptr<OpenFile>> open(const std::string& path, platform::OpenFlags flags,
                                       unsigned permissions) {
    SHEAF_TRY(platform::Descriptor descriptor, platform::open_path(path, flags, permissions));
    auto inner = make_descriptor_file(std::move(descriptor), {}, flags.write);
    return std::unique_ptr<OpenFile>(new TemplateFile(std::move(inner)));
}

class TemplateFileSystem final : public FileSystem {
public:
    /// Step 3. Runs on rank 0 alone, so "create unless it exists" needs no protocol among ranks.
    Result<Created> create(const OpenRequest& request) override {
        const platform::OpenFlags flags{request.read, request.write, request.create,
                                        request.exclusive};
        SHEAF_TRY(auto file, open(request.path, flags, request.permissions));
        return Created{std::move(file), request.path};
    }

    /// Runs on the other ranks once create() is through. Whatever the request says, nothing is
    /// created here.
    Result<std::unique_ptr<OpenFile>> attach(const std::string& locator,
                                             const OpenRequest& request) override {
        return open(locator, {request.read, request.write}, 0);
    }

    /// Step 4.
    Status remove(const std::string& path) override { return platform::remove_path(path); }
};

/// Step 2. An empty priority refuses. The lowest bid of all ranks counts, so each rank may look at
/// what it has at hand: the name, its prefix, the kind of storage it would be on.
Bid bid(const Candidate& candidate) {
    if (!candidate.prefix.empty()) return {std::nullopt, "serves names without a prefix"};
    return {1, "any path of the operating system"};
}

std::unique_ptr<FileSystem> make() {
    return std::make_unique<TemplateFileSystem>();
}

}  // namespace

// Step 1. In a component that is built in, the declaration stands in components.h.
extern const Component kTemplate;
const Component kTemplate{"template", "to be copied", bid, make};

}  // namespace sheaf::fs
