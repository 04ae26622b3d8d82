// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Framework `fs`: name space and metadata of one kind of storage.
///
/// A component knows how to bring a file into being, how to get hold of one, and what can be said
/// about it. It moves no data: that is fbtl's. Nothing here is collective. file/ has rank 0 call
/// create() while the others wait for its outcome, and every rank attach() afterwards; so a
/// component never has to think about races between ranks of one open.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/types.h"
#include "contracts/bid.h"

namespace sheaf::fs {

/// How a file is to be opened, from the access mode (MPI 4.1, 14.2.1).
struct OpenRequest {
    std::string path;  // Without a file system prefix.
    bool read = false;
    bool write = false;
    bool create = false;
    bool exclusive = false;
    unsigned permissions = 0666;  // Before the umask.
};

/// What is known of the storage under an open file. Asked once and kept: algorithms are chosen from
/// these data, never from a component's name.
struct Facts {
    std::string storage;     // "ext4", "nfs", "memory": for people.
    bool node_local = true;  // Transfers do not cross a network.
    ByteCount stripe_size;   // 0 = not striped.
    int stripe_count = 1;    // Servers that share the file.
    ByteCount block_size{4096};
    bool readable = true;  // This rank may read: holes can be read back.
};

/// One rank's hold on an open file.
///
/// Every call may block on storage and none calls MPI. Failures name the operation; file/ adds the
/// path. Thread-safe: any thread of the rank may call, at any time between open and close.
class OpenFile {
public:
    virtual ~OpenFile() = default;

    /// Bytes up to the end of file, as of now.
    virtual Result<ByteCount> size() = 0;
    /// Sets the end of file. Fails with Code::read_only or access where writing is not allowed.
    virtual Status resize(ByteCount size) = 0;
    /// Makes sure that storage exists for `[0, size)`; grows the file, never shrinks it, and leaves
    /// what is written alone. Fails with Code::unsupported_operation where the storage cannot.
    virtual Status preallocate(ByteCount size) = 0;
    /// Everything this rank wrote is on stable storage when this returns OK.
    virtual Status sync() = 0;
    /// Gives the file up; reports what only then becomes known. Nothing else is called afterwards.
    virtual Status close() = 0;

    [[nodiscard]] virtual const Facts& facts() const = 0;
    /// The system's descriptor, for byte transfer by system calls; -1 where there is none.
    [[nodiscard]] virtual int descriptor() const = 0;
};

/// A file that exists now, and the text by which the other ranks find it.
struct Created {
    std::unique_ptr<OpenFile> file;
    std::string locator;  // For posix the path itself.
};

/// Names on one kind of storage. Thread-safe.
class FileSystem {
public:
    virtual ~FileSystem() = default;

    /// Opens the file, creating it when asked to. Called on rank 0 only.
    virtual Result<Created> create(const OpenRequest& request) = 0;
    /// Opens what rank 0's create() found, by its locator. Called on the other ranks, which may be
    /// on other nodes; never creates.
    virtual Result<std::unique_ptr<OpenFile>> attach(const std::string& locator,
                                                     const OpenRequest& request) = 0;
    /// Removes a name. Independent. Data of open files lives on until they are closed.
    virtual Status remove(const std::string& path) = 0;
};

/// What a component is asked to bid on.
struct Candidate {
    std::string path;      // Without prefix.
    std::string prefix;    // "memory" for "memory:/x"; empty when there was none.
    bool one_node = true;  // All ranks of the open share this node.
};

/// One row of the table of components.
struct Component {
    std::string_view name;     // "posix": a value of hint sheaf_fs.
    std::string_view summary;  // One line, for `sheaf info`.
    Bid (*bid)(const Candidate& candidate);
    std::unique_ptr<FileSystem> (*make)();
};

}  // namespace sheaf::fs
