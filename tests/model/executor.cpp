// SPDX-License-Identifier: BSD-3-Clause
#include "executor.h"

#include <sched.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "buffer.h"
#include "calls.h"
#include "realize.h"

namespace model {
namespace {

int amode_of(const OpenMode& mode) {
    int amode = mode.reads && mode.writes ? MPI_MODE_RDWR
                : mode.writes             ? MPI_MODE_WRONLY
                                          : MPI_MODE_RDONLY;
    if (mode.creates) amode |= MPI_MODE_CREATE;
    if (mode.exclusive) amode |= MPI_MODE_EXCL;
    if (mode.appends) amode |= MPI_MODE_APPEND;
    if (mode.deletes) amode |= MPI_MODE_DELETE_ON_CLOSE;
    if (mode.unique) amode |= MPI_MODE_UNIQUE_OPEN;
    return amode;
}

int whence_of(Whence whence) {
    const std::array<int, 3> values{MPI_SEEK_SET, MPI_SEEK_CUR, MPI_SEEK_END};
    return values[static_cast<std::size_t>(whence)];
}

int class_of(Refusal refusal) {
    const std::array<int, 5> values{MPI_SUCCESS, MPI_ERR_FILE_EXISTS, MPI_ERR_NO_SUCH_FILE,
                                    MPI_ERR_READ_ONLY, MPI_ERR_ACCESS};
    return values[static_cast<std::size_t>(refusal)];
}

std::string error_text(int code) {
    std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
    int length = 0;
    int error_class = 0;
    MPI_Error_class(code, &error_class);
    MPI_Error_string(code, text.data(), &length);
    return "class " + std::to_string(error_class) + " (" + text.data() + ")";
}

std::string expected_found(const std::string& what, std::int64_t expected, std::int64_t found) {
    return what + ": expected " + std::to_string(expected) + ", found " + std::to_string(found);
}

class Info {
public:
    explicit Info(const Step& step) {
        if (step.hints.empty()) return;
        MPI_Info_create(&info_);
        for (const auto& [key, value] : step.hints) MPI_Info_set(info_, key.c_str(), value.c_str());
    }
    Info(const Info&) = delete;
    Info& operator=(const Info&) = delete;
    ~Info() {
        if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
    }
    [[nodiscard]] MPI_Info get() const { return info_; }

private:
    MPI_Info info_ = MPI_INFO_NULL;
};

std::vector<std::uint8_t> bytes_of(const std::string& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{}};
}

}  // namespace

void gentle_barrier(MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm, &request);
    int done = 0;
    for (int attempt = 0; done == 0; ++attempt) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done != 0) return;
        if (attempt < 50) {
            sched_yield();
        } else {
            usleep(50);
        }
    }
}

void Findings::fail(const std::string& what) {
    if (failed()) return;
    text_ = "op " + std::to_string(step_number_) + ": " + step_ + "\n      " + what;
}

Executor::Executor(MPI_Comm comm, std::string path, const Tolerated& tolerated, Findings& findings)
    : comm_{comm}, path_{std::move(path)}, tolerated_{tolerated}, findings_{findings} {
    MPI_Comm_rank(comm, &rank_);
}

void Executor::prepare(const Generator& program) {
    if (rank_ == 0) {
        std::remove(path_.c_str());
        const FileImage& image = program.file();
        std::string bytes;
        for (std::int64_t at = 0; at < image.size(); ++at)
            bytes.push_back(static_cast<char>(image.at(at)));
        if (program.file_exists()) std::ofstream{path_, std::ios::binary} << bytes;
    }
    gentle_barrier(comm_);
}

bool Executor::run(const Step& step, const Generator& program) {
    const auto own = static_cast<std::size_t>(rank_);
    switch (step.kind) {
        case StepKind::open:
            return open(step);
        case StepKind::refused_open:
            refused_open(step);
            break;
        case StepKind::close:
            check("MPI_File_close", MPI_File_close(&file_));
            gentle_barrier(comm_);
            break;
        case StepKind::set_view:
            set_view(step.views[own]);
            break;
        case StepKind::get_view:
            if (auto fault = view_fault(file_, program.view(rank_))) findings_.fail(*fault);
            break;
        case StepKind::access:
        case StepKind::refused_access:
            access(step, step.actions[own]);
            break;
        case StepKind::seek:
            seek(step.actions[own]);
            break;
        case StepKind::byte_offset:
            byte_offset(step.actions[own]);
            break;
        default:
            run_on_whole_file(step);
            break;
    }
    return true;
}

void Executor::run_on_whole_file(const Step& step) {
    switch (step.kind) {
        case StepKind::get_size:
            return get_size(step.size);
        case StepKind::set_size:
            return check("MPI_File_set_size", MPI_File_set_size(file_, step.size));
        case StepKind::preallocate:
            return check("MPI_File_preallocate", MPI_File_preallocate(file_, step.size));
        case StepKind::sync:
            return check("MPI_File_sync", MPI_File_sync(file_));
        default:
            return visible();
    }
}

void Executor::finish(const Generator& program) {
    gentle_barrier(comm_);
    if (rank_ != 0) return;
    const bool exists = ::access(path_.c_str(), F_OK) == 0;
    if (exists != program.file_exists()) {
        findings_.fail(exists ? "the file is still there after close with DELETE_ON_CLOSE"
                              : "the file is gone");
    } else if (exists) {
        check_file(program.file());
    }
    std::remove(path_.c_str());
}

bool Executor::open(const Step& step) {
    const Info info{step};
    const int code = MPI_File_open(comm_, path_.c_str(), amode_of(step.mode), info.get(), &file_);
    check("MPI_File_open", code);
    int opened = code == MPI_SUCCESS ? 1 : 0;
    int all_opened = 0;
    MPI_Allreduce(&opened, &all_opened, 1, MPI_INT, MPI_MIN, comm_);
    if (all_opened == 0) findings_.fail("MPI_File_open failed on another rank only");
    return all_opened != 0;
}

void Executor::refused_open(const Step& step) {
    MPI_File refused = MPI_FILE_NULL;
    const int code =
        MPI_File_open(comm_, path_.c_str(), amode_of(step.mode), MPI_INFO_NULL, &refused);
    check_refusal("MPI_File_open", code, step.refusal);
    if (code == MPI_SUCCESS) MPI_File_close(&refused);
}

void Executor::access(const Step& step, const Action& action) {
    if (action.idle) return;
    Buffer buffer{*action.memory, action.count};
    const bool writes = action.direction == Direction::write;
    if (writes && step.kind == StepKind::access) buffer.scatter(action.bytes);
    MPI_Status status{};
    const auto call_with = [&](const RealType& type, void* address) {
        const int code = make_call(file_, step, action, {address, type.get()}, &status);
        if (step.kind == StepKind::refused_access)
            return check_refusal("access", code, step.refusal);
        check("access", code);
        if (code == MPI_SUCCESS) check_status(action, type.get(), status);
    };
    if (action.absolute) {
        call_with(RealType{*action.memory, buffer.base()}, MPI_BOTTOM);
    } else {
        call_with(RealType{*action.memory}, buffer.base());
    }
    if (step.kind == StepKind::refused_access) return;
    const bool guarded = !tolerated_.short_read_memory || writes;
    if (auto fault = buffer.difference(action.bytes, action.defined, guarded))
        findings_.fail(*fault + host_remark(*action.memory));
    check_pointer(step, action);
}

void Executor::check_status(const Action& action, MPI_Datatype type, MPI_Status& status) {
    const bool short_read = action.transferred < action.count * action.memory->size;
    if (short_read && tolerated_.short_read_count) return;
    const auto bytes = static_cast<int>(action.transferred);
    int found = -1;
    MPI_Get_count(&status, MPI_BYTE, &found);
    if (found != bytes) findings_.fail(expected_found("bytes in the status", bytes, found));
    const auto size = static_cast<int>(action.memory->size);
    int expected = bytes % size == 0 ? bytes / size : MPI_UNDEFINED;
    MPI_Get_count(&status, type, &found);
    if (found != expected) findings_.fail(expected_found("MPI_Get_count", expected, found));
    const std::int64_t elements = elements_in(*action.memory, action.transferred);
    if (elements < 0 || contains_array(*action.memory)) return;
    MPI_Get_elements(&status, type, &found);
    if (found != elements) findings_.fail(expected_found("MPI_Get_elements", elements, found));
}

void Executor::check_pointer(const Step& step, const Action& action) {
    MPI_Offset found = -1;
    check("MPI_File_get_position", MPI_File_get_position(file_, &found));
    const bool short_read = action.transferred < action.count * action.memory->size;
    if (short_read && tolerated_.short_read_pointer &&
        step.positioning == Positioning::individual) {
        MPI_File_seek(file_, action.position, MPI_SEEK_SET);
        return;
    }
    if (found != action.position)
        findings_.fail(expected_found("individual file pointer", action.position, found));
}

void Executor::set_view(const View& view) {
    // The types go at once: an open view must not need them.
    const RealType etype{*view.etype};
    const RealType filetype{*view.filetype};
    check("MPI_File_set_view", MPI_File_set_view(file_, view.displacement, etype.get(),
                                                 filetype.get(), "native", MPI_INFO_NULL));
}

void Executor::seek(const Action& action) {
    if (action.idle) return;
    if (action.whence == Whence::end && tolerated_.seek_end) {
        check("MPI_File_seek", MPI_File_seek(file_, action.position, MPI_SEEK_SET));
    } else {
        check("MPI_File_seek", MPI_File_seek(file_, action.offset, whence_of(action.whence)));
    }
    MPI_Offset found = -1;
    check("MPI_File_get_position", MPI_File_get_position(file_, &found));
    if (found != action.position)
        findings_.fail(expected_found("position after seek", action.position, found));
}

void Executor::byte_offset(const Action& action) {
    MPI_Offset found = -1;
    check("MPI_File_get_byte_offset", MPI_File_get_byte_offset(file_, action.offset, &found));
    if (found != action.position)
        findings_.fail(expected_found("byte offset", action.position, found));
}

void Executor::get_size(std::int64_t expected) {
    MPI_Offset found = -1;
    check("MPI_File_get_size", MPI_File_get_size(file_, &found));
    if (found != expected) findings_.fail(expected_found("file size", expected, found));
}

void Executor::visible() {
    check("MPI_File_sync", MPI_File_sync(file_));
    gentle_barrier(comm_);
    check("MPI_File_sync", MPI_File_sync(file_));
}

void Executor::check(const char* call, int code) {
    if (code != MPI_SUCCESS) findings_.fail(std::string{call} + " returned " + error_text(code));
}

void Executor::check_refusal(const char* call, int code, Refusal refusal) {
    int found = MPI_SUCCESS;
    MPI_Error_class(code, &found);
    if (found == class_of(refusal)) return;
    if (tolerated_.refusal_class && found != MPI_SUCCESS) return;
    findings_.fail(std::string{call} + " should fail with class " +
                   std::to_string(class_of(refusal)) + ", returned " + error_text(code));
}

void Executor::check_file(const FileImage& image) {
    std::vector<std::uint8_t> found = bytes_of(path_);
    if (static_cast<std::int64_t>(found.size()) != image.size())
        findings_.fail(expected_found("size of the file at the end", image.size(),
                                      static_cast<std::int64_t>(found.size())));
    found.resize(static_cast<std::size_t>(image.size()));
    std::vector<std::uint8_t> expected;
    for (std::int64_t at = 0; at < image.size(); ++at) {
        const bool counts = image.is_defined(at);
        expected.push_back(counts ? image.at(at) : found[static_cast<std::size_t>(at)]);
    }
    if (expected != found)
        findings_.fail(describe_difference("the file at the end, bytes", 0, expected, found));
}

}  // namespace model
