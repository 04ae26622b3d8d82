// SPDX-License-Identifier: BSD-3-Clause

/// MPI_File_open, close, delete.

#include <fmt/format.h>
#include <mpi.h>

#include <array>

#include "abi/call.h"
#include "abi/verbose.h"
#include "base/assert.h"

namespace sheaf::abi {

namespace {

struct ModeRow {
    int host;
    AccessMode::Flag flag;
};

constexpr std::array kModes{
    ModeRow{MPI_MODE_RDONLY, AccessMode::read_only},
    ModeRow{MPI_MODE_WRONLY, AccessMode::write_only},
    ModeRow{MPI_MODE_RDWR, AccessMode::read_write},
    ModeRow{MPI_MODE_CREATE, AccessMode::create},
    ModeRow{MPI_MODE_EXCL, AccessMode::exclusive},
    ModeRow{MPI_MODE_DELETE_ON_CLOSE, AccessMode::delete_on_close},
    ModeRow{MPI_MODE_UNIQUE_OPEN, AccessMode::unique_open},
    ModeRow{MPI_MODE_APPEND, AccessMode::append},
    ModeRow{MPI_MODE_SEQUENTIAL, AccessMode::sequential},
};

Result<AccessMode> mode_of(int amode) {
    AccessMode mode;
    int unknown = amode;
    for (const ModeRow& row : kModes) {
        if ((amode & row.host) != 0) mode.flags |= row.flag;
        unknown &= ~row.host;
    }
    if (unknown != 0)
        return Status{Code::amode,
                      fmt::format("open: access mode {:#x} has bits that mean nothing", unknown)};
    return mode;
}

Status check_communicator(MPI_Comm communicator) {
    if (communicator == MPI_COMM_NULL)
        return {Code::argument, "open: the communicator is MPI_COMM_NULL"};
    int inter = 0;
    SHEAF_CHECK(mpi::check(PMPI_Comm_test_inter(communicator, &inter), "MPI_Comm_test_inter"));
    return inter == 0 ? Status{}
                      : Status{Code::argument, "open: an intercommunicator has no files"};
}

/// `precondition`: what is wrong with this rank's arguments already; it takes part all the same.
Result<MPI_File> open_file(MPI_Comm communicator, const char* name, int amode, MPI_Info info,
                           Status precondition) {
    SHEAF_CHECK(check_communicator(communicator));
    SHEAF_TRY(auto own, mpi::HostCommunicator::create(communicator));
    auto open = std::make_unique<OpenHandle>();
    open->communicator = own.get();
    open->amode = amode;
    open->error_handler = default_handler();
    OpenArguments arguments;
    if (name == nullptr)
        precondition.update({Code::bad_file, "open: the file name is null"});
    else
        arguments.name = name;
    auto mode = mode_of(amode);
    precondition.update(mode.status());
    if (mode.ok()) arguments.mode = *mode;
    auto hints = hints_of(info);
    precondition.update(hints.status());
    if (hints.ok()) arguments.info = std::move(hints).value();
    SHEAF_TRY(open->file,
              File::open(std::move(own), std::move(arguments), std::move(precondition)));
    SHEAF_ASSERT(open->file != nullptr && own == nullptr);
    say_choices(*open->file, "open");
    return insert(std::move(open));
}

}  // namespace

}  // namespace sheaf::abi

using namespace sheaf;
using namespace sheaf::abi;

extern "C" {

int MPI_File_open(MPI_Comm communicator, const char* name, int amode, MPI_Info info,
                  MPI_File* file) {
    return guard([](const Status& status) { return report(MPI_FILE_NULL, status); },
                 [&]() -> Status {
                     // A missing place for the handle is this rank's failure, not a way out.
                     Status precondition;
                     if (file != nullptr)
                         *file = MPI_FILE_NULL;
                     else
                         precondition = {Code::argument, "open: no place for the handle"};
                     SHEAF_TRY(const MPI_File opened,
                               open_file(communicator, name, amode, info, std::move(precondition)));
                     *file = opened;
                     return {};
                 });
}

int MPI_File_close(MPI_File* file) {
    if (file == nullptr)
        return report(MPI_FILE_NULL, {Code::argument, "close: the place of the handle is null"});
    const MPI_File handle = *file;
    int code = MPI_SUCCESS;
    const int found = on_file(handle, [&](OpenHandle& open) {
        // A failure of the close goes to the file's own handler while there still is one.
        code = report(handle, open.file->close());
        const auto closed = remove(handle);
        SHEAF_ASSERT(closed.get() == &open);
        *file = MPI_FILE_NULL;
        return Status{};
    });
    return found == MPI_SUCCESS ? code : found;
}

int MPI_File_delete(const char* name, MPI_Info /*info*/) {
    return guard([](const Status& status) { return report(MPI_FILE_NULL, status); },
                 [&]() -> Status {
                     if (name == nullptr) return {Code::bad_file, "delete: the file name is null"};
                     return File::remove(name);
                 });
}

}  // extern "C"
