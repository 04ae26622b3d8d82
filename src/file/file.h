// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// File: one open MPI file, without MPI.

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/types.h"
#include "contracts/fbtl.h"
#include "contracts/fcoll.h"
#include "contracts/file_context.h"
#include "contracts/fs.h"
#include "file/access_mode.h"
#include "hints/hint_set.h"
#include "mpi/communicator.h"
#include "view/file_view.h"

namespace sheaf {

/// What MPI_File_open was given, on this rank.
struct OpenArguments {
    std::string name;  // With prefix, as the user wrote it.
    AccessMode mode;
    std::vector<hints::Given> info;
};

/// What MPI_File_set_view was given, on this rank.
struct ViewArguments {
    ByteOffset displacement;
    view::ViewType etype;
    view::ViewType filetype;
    std::string representation = "native";
};

enum class Positioning : std::uint8_t { explicit_offset, individual };

/// Which of the access calls it is.
struct AccessCall {
    Direction direction = Direction::read;
    Positioning positioning = Positioning::explicit_offset;
    bool collective = false;
    EtypeOffset offset;  // For explicit_offset.
};

enum class Whence : std::uint8_t { set, current, end };

/// Which component serves a framework of a file, and why.
struct Choice {
    std::string framework;
    std::string component;
    std::string reason;
};

/// An open file on one rank.
///
/// Collective calls take a `precondition`: a failure when this rank's arguments are not valid. The
/// rank takes part all the same and gets its failure back, the others get the agreed one. Failures
/// of collective calls are agreed: all ranks fail or none. Texts begin with the path.
///
/// Threads: independent calls may run in any number of threads at once; they share the individual
/// pointer, whose update alone is atomic. Collective calls on one file come one at a time.
class File {
public:
    /// Collective over `communicator`, which the file keeps. Agreement points: arguments; the
    /// outcome of rank 0's create; the others' attach; each choice of a component.
    static Result<std::unique_ptr<File>> open(std::unique_ptr<mpi::Communicator> communicator,
                                              OpenArguments arguments, Status precondition);
    /// Independent: deletes a file that nobody needs to have open.
    static Status remove(const std::string& name);

    ~File();
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    /// Collective. The file is closed whatever the Status says. Nothing else is called afterwards.
    Status close();

    Result<ByteCount> size();                                 // Independent.
    Status set_size(ByteCount size, Status precondition);     // Collective.
    Status preallocate(ByteCount size, Status precondition);  // Collective.
    Status sync();                                            // Collective.
    /// Collective. Sets the individual pointer to 0. On failure the old view stays.
    Status set_view(const ViewArguments& arguments, const std::vector<hints::Given>& info,
                    Status precondition);
    /// Collective, as set_view's info.
    Status set_hints(const std::vector<hints::Given>& info, Status precondition);

    /// Moves memory to or from the file. Returns the data bytes moved, exact at end of file.
    fbtl::Transferred access(const AccessCall& call, const Memory& memory, Status precondition);

    Status seek(EtypeOffset offset, Whence whence);  // Independent.
    [[nodiscard]] EtypeOffset position() const {
        return {position_.load(std::memory_order_relaxed)};
    }
    Result<ByteOffset> byte_offset(EtypeOffset offset) const;

    [[nodiscard]] AccessMode mode() const { return mode_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const view::FileView& view() const { return view_->view; }
    [[nodiscard]] const hints::HintSet& hints() const { return hints_; }
    [[nodiscard]] mpi::Communicator& communicator() { return *communicator_; }
    [[nodiscard]] const std::vector<Choice>& choices() const { return choices_; }

private:
    /// A view and what was chosen for it.
    struct ViewState {
        view::FileView view;
        std::unique_ptr<fcoll::CollectiveAccess> reader;
        std::unique_ptr<fcoll::CollectiveAccess> writer;  // Null when `reader` does both.
    };

    File(std::unique_ptr<mpi::Communicator> communicator, const OpenArguments& arguments);

    // Steps of open(), each collective.
    Status agree_on_arguments(Status precondition);
    Status adopt_hints();
    Status choose_file_system(const std::string& prefix);
    Status open_storage();
    Status attach_storage(const std::string& locator);
    Status choose_transfer();
    Status place_pointer();

    /// Collective: reduces what all ranks know of `view` and makes it the view of this file.
    Status adopt_view(Result<view::FileView> view, std::span<const std::int64_t> must_agree);
    /// Local: all that the bids see is agreed.
    Result<std::unique_ptr<ViewState>> choose_collective(view::FileView view,
                                                         const fcoll::ViewSummary& summary);

    [[nodiscard]] Status in_context(Status status) const;
    [[nodiscard]] Status permitted(Direction direction) const;
    [[nodiscard]] fcoll::CollectiveAccess& collective_access(Direction direction) const;
    void note(std::string_view framework, std::string_view component, const std::string& reason);
    Result<EtypeCount> etypes_of(const Memory& memory) const;
    /// Where the call starts; moves the individual pointer on when the call uses it.
    Result<EtypeOffset> claim_position(const AccessCall& call, EtypeCount count);
    AccessRequest request_for(const AccessCall& call, const Memory& memory, Status precondition);

    std::unique_ptr<mpi::Communicator> communicator_;
    std::string prefix_;
    std::string path_;
    AccessMode mode_;
    hints::HintSet hints_;
    bool one_node_ = true;
    int ranks_here_ = 1;
    int cores_here_ = 1;
    std::unique_ptr<fs::FileSystem> file_system_;
    std::unique_ptr<fs::OpenFile> storage_;
    fs::Facts facts_;  // Agreed by all ranks.
    std::unique_ptr<fbtl::ByteTransfer> transfer_;
    std::unique_ptr<FileContext> context_;
    std::unique_ptr<ViewState> view_;
    // Relaxed: threads that share the pointer get distinct positions; what they read or write there
    // is ordered by the user's own synchronisation.
    std::atomic<std::int64_t> position_{0};
    std::vector<Choice> choices_;
};

}  // namespace sheaf
