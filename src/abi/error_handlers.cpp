// SPDX-License-Identifier: BSD-3-Clause
#include "abi/error_handlers.h"

#include <map>
#include <mutex>
#include <string>

#include "abi/error_map.h"
#include "abi/handles.h"
#include "base/assert.h"
#include "base/guard.h"
#include "mpi/constants.h"
#include "mpi/host_library.h"
#include "platform/console.h"
#include "trace/ring.h"

namespace sheaf::abi {

/// Freed when neither the user's table entry nor a file refers to it.
class UserHandler {
public:
    UserHandler(MPI_Errhandler handle, HandlerFunction function)
        : handle_(handle), function_(std::move(function)) {}
    UserHandler(const UserHandler&) = delete;
    UserHandler& operator=(const UserHandler&) = delete;
    ~UserHandler() { mpi::host(&PMPI_Errhandler_free, "PMPI_Errhandler_free")(&handle_); }

    [[nodiscard]] MPI_Errhandler handle() const { return handle_; }
    void call(MPI_File file, int code) const { function_(&file, &code); }

private:
    MPI_Errhandler handle_;
    HandlerFunction function_;
};

namespace {

/// The user's handlers and how many references the user holds to each. Thread-safe.
class Registry {
public:
    void add(MPI_Errhandler handle, HandlerFunction function) {
        auto handler = std::make_shared<UserHandler>(handle, std::move(function));
        const std::scoped_lock lock(mutex_);
        entries_.insert_or_assign(handle, Entry{handler, std::move(handler), 1});
    }

    std::shared_ptr<UserHandler> find(MPI_Errhandler handle) {
        const std::scoped_lock lock(mutex_);
        const auto entry = entries_.find(handle);
        return entry == entries_.end() ? nullptr : entry->second.weak.lock();
    }

    void add_user_reference(const std::shared_ptr<UserHandler>& handler) {
        const std::scoped_lock lock(mutex_);
        const auto entry = entries_.find(handler->handle());
        SHEAF_ASSERT(entry != entries_.end());
        ++entry->second.user_references;
        entry->second.strong = handler;
    }

    bool release(MPI_Errhandler handle) {
        std::shared_ptr<UserHandler> last;  // Destroyed after the lock: it calls the host.
        const std::scoped_lock lock(mutex_);
        const auto entry = entries_.find(handle);
        if (entry == entries_.end() || entry->second.user_references == 0) return false;
        if (--entry->second.user_references == 0) last = std::move(entry->second.strong);
        return true;
    }

private:
    struct Entry {
        std::weak_ptr<UserHandler> weak;
        std::shared_ptr<UserHandler> strong;  // While the user holds references.
        int user_references = 0;
    };
    std::mutex mutex_;
    std::map<MPI_Errhandler, Entry> entries_;
};

Registry& registry() {
    static Registry* const instance = new Registry;  // Never destroyed: used in MPI_Finalize.
    return *instance;
}

struct DefaultHandler {
    std::mutex mutex;
    FileErrorHandler handler;
};

DefaultHandler& default_state() {
    static DefaultHandler* const instance = new DefaultHandler;
    return *instance;
}

[[noreturn]] void end_job(MPI_Comm communicator, int code, std::string_view text) {
    platform::say(text);
    PMPI_Abort(communicator, code);
    std::abort();  // Not reached: MPI_Abort does not return.
}

}  // namespace

Result<FileErrorHandler> FileErrorHandler::from(MPI_Errhandler handle) {
    FileErrorHandler handler;
    if (handle == MPI_ERRORS_RETURN) return handler;
    if (handle == MPI_ERRORS_ARE_FATAL) {
        handler.kind_ = Kind::fatal;
    } else if (handle != MPI_ERRHANDLER_NULL && handle == mpi::errors_abort()) {
        handler.kind_ = Kind::aborts;
    } else if (auto user = registry().find(handle)) {
        handler.kind_ = Kind::user;
        handler.user_ = std::move(user);
    } else {
        return Status{Code::argument, "set_errhandler: not an error handler of files"};
    }
    return handler;
}

MPI_Errhandler FileErrorHandler::handle_for_user() const {
    switch (kind_) {
        case Kind::returns:
            return MPI_ERRORS_RETURN;
        case Kind::fatal:
            return MPI_ERRORS_ARE_FATAL;
        case Kind::aborts:
            return mpi::errors_abort();
        case Kind::user:
            break;
    }
    SHEAF_ASSERT(user_ != nullptr);
    registry().add_user_reference(user_);
    return user_->handle();
}

int FileErrorHandler::invoke(MPI_File file, int code, std::string_view text) const {
    switch (kind_) {
        case Kind::returns:
            break;
        case Kind::fatal:
            end_job(MPI_COMM_WORLD, code, text);
        case Kind::aborts: {
            const OpenHandle* open = find(file);
            end_job(open != nullptr ? open->communicator->native() : MPI_COMM_SELF, code, text);
        }
        case Kind::user:
            user_->call(file, code);
            break;
    }
    return code;
}

FileErrorHandler default_handler() {
    const std::scoped_lock lock(default_state().mutex);
    return default_state().handler;
}

void set_default_handler(FileErrorHandler handler) {
    const std::scoped_lock lock(default_state().mutex);
    std::swap(default_state().handler, handler);
}

void register_handler(MPI_Errhandler handle, HandlerFunction function) {
    registry().add(handle, std::move(function));
}

bool release_user_reference(MPI_Errhandler handle) {
    return registry().release(handle);
}

int report(MPI_File file, const Status& status) {
    if (status.ok()) return MPI_SUCCESS;
    trace::record(trace::Event::failure, static_cast<std::int64_t>(status.code()),
                  status.system_error());
    const int code = error_class_of(status.code());
    const std::string text = remember_error(code, status);
    const OpenHandle* open = find(file);
    const FileErrorHandler handler = open != nullptr ? open->error_handler : default_handler();
    return handler.invoke(open != nullptr ? file : MPI_FILE_NULL, code, text);
}

}  // namespace sheaf::abi

using namespace sheaf;
using namespace sheaf::abi;

extern "C" {

int MPI_File_create_errhandler(MPI_File_errhandler_function* function, MPI_Errhandler* handler) {
    if (function == nullptr)
        return report(MPI_FILE_NULL, {Code::argument, "create_errhandler: the function is null"});
    const int code =
        mpi::host(&PMPI_File_create_errhandler, "PMPI_File_create_errhandler")(function, handler);
    if (code != MPI_SUCCESS) return code;
    return guard([](const Status& status) { return report(MPI_FILE_NULL, status); },
                 [&]() -> Status {
                     register_handler(*handler, [function](MPI_File* file, int* error) {
                         function(file, error);
                     });
                     return {};
                 });
}

int MPI_Errhandler_free(MPI_Errhandler* handler) {
    if (handler != nullptr && release_user_reference(*handler)) {
        *handler = MPI_ERRHANDLER_NULL;
        return MPI_SUCCESS;
    }
    return mpi::host(&PMPI_Errhandler_free, "PMPI_Errhandler_free")(handler);
}

int MPI_File_set_errhandler(MPI_File file, MPI_Errhandler handler) {
    return guard([file](const Status& status) { return report(file, status); },
                 [&]() -> Status {
                     if (file == MPI_FILE_NULL) {
                         SHEAF_TRY(FileErrorHandler chosen, FileErrorHandler::from(handler));
                         set_default_handler(std::move(chosen));
                         return {};
                     }
                     SHEAF_TRY(OpenHandle * open, lookup(file));
                     SHEAF_TRY(open->error_handler, FileErrorHandler::from(handler));
                     return {};
                 });
}

int MPI_File_get_errhandler(MPI_File file, MPI_Errhandler* handler) {
    return guard([file](const Status& status) { return report(file, status); },
                 [&]() -> Status {
                     if (file == MPI_FILE_NULL) {
                         *handler = default_handler().handle_for_user();
                         return {};
                     }
                     SHEAF_TRY(OpenHandle * open, lookup(file));
                     *handler = open->error_handler.handle_for_user();
                     return {};
                 });
}

int MPI_File_call_errhandler(MPI_File file, int code) {
    const OpenHandle* open = find(file);
    if (open == nullptr && file != MPI_FILE_NULL) {
        return report(
            file, {Code::bad_handle, "call_errhandler: the file handle is not of an open file"});
    }
    const FileErrorHandler handler = open != nullptr ? open->error_handler : default_handler();
    handler.invoke(file, code, "MPI_File_call_errhandler");
    return MPI_SUCCESS;
}

int sheaf_unsupported(void* file, const char* name) {
    // A null argument means that the call has no file; MPI_FILE_NULL of the host takes its place.
    const MPI_File handle = file == nullptr ? MPI_FILE_NULL : static_cast<MPI_File>(file);
    return report(handle, {Code::unsupported_operation,
                           std::string(name) + " is not built yet in this version of Sheaf"});
}

}  // extern "C"
