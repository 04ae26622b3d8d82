// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Error handlers of files. The handles are the host's, made by the host; what they do for a file
/// is ours, since no host exports a way to invoke a file error handler on a file that is not its
/// own.

#include <mpi.h>

#include <functional>
#include <memory>

#include "base/result.h"
#include "base/status.h"

namespace sheaf::abi {

/// A user's handler: called with the addresses of the file handle and of the code, as C and Fortran
/// handlers both expect.
using HandlerFunction = std::function<void(MPI_File*, int*)>;

/// A user's handler that files and the user refer to. The host's handle is freed with the last
/// reference, so that its value is not used again while a file still holds it.
class UserHandler;

/// What a file does about errors. Copies share the user's handler. Thread-compatible.
class FileErrorHandler {
public:
    enum class Kind { returns, fatal, aborts, user };

    /// MPI_ERRORS_RETURN: the default of files (MPI 4.1, 14.7).
    FileErrorHandler() = default;
    /// From a handle; fails with Code::argument for handles that are no file error handlers.
    static Result<FileErrorHandler> from(MPI_Errhandler handle);

    /// The handle, for MPI_File_get_errhandler; counts as a new reference of the user's.
    [[nodiscard]] MPI_Errhandler handle_for_user() const;

    /// Does what the handler says and returns `code`, unless the job ends here. `text` is printed
    /// first by the fatal ones.
    int invoke(MPI_File file, int code, std::string_view text) const;

private:
    Kind kind_ = Kind::returns;
    std::shared_ptr<UserHandler> user_;
};

/// The handler of MPI_FILE_NULL: used by open and delete, inherited by new files.
[[nodiscard]] FileErrorHandler default_handler();
void set_default_handler(FileErrorHandler handler);

/// Remembers that the host's `handle`, just made, means `function`.
void register_handler(MPI_Errhandler handle, HandlerFunction function);

/// For MPI_Errhandler_free: true when `handle` is one of ours, whose user reference is now gone.
bool release_user_reference(MPI_Errhandler handle);

/// Turns the outcome of a call on `file` into what the call returns: MPI_SUCCESS, or an error class
/// after the text is kept for MPI_Error_string and the handler has run. A null or invalid handle
/// means the handler of MPI_FILE_NULL.
int report(MPI_File file, const Status& status);

}  // namespace sheaf::abi
