// SPDX-License-Identifier: BSD-3-Clause
#include "platform/system_error.h"

#include <cerrno>
#include <cstring>
#include <map>
#include <string>

#include "base/assert.h"

namespace sheaf::platform {

namespace {

const std::map<int, Code>& code_table() {
    static const std::map<int, Code> table{
        {EACCES, Code::access},       {EPERM, Code::access},       {EROFS, Code::read_only},
        {ENOENT, Code::no_such_file}, {EEXIST, Code::file_exists}, {ENAMETOOLONG, Code::bad_file},
        {EISDIR, Code::bad_file},     {ENOTDIR, Code::bad_file},   {ELOOP, Code::bad_file},
        {ENOSPC, Code::no_space},     {EDQUOT, Code::disk_quota},  {ENOMEM, Code::no_memory},
        {ETXTBSY, Code::file_in_use}, {EBUSY, Code::file_in_use},
    };
    return table;
}

Code code_of(int error) {
    const auto row = code_table().find(error);
    return row == code_table().end() ? Code::io : row->second;
}

constexpr int kHighestError = 133;

}  // namespace

Status system_failure(int error, std::string_view what) {
    SHEAF_ASSERT(error != 0);
    const char* words = ::strerrordesc_np(error);  // Null for values that the system does not know.
    return {code_of(error),
            std::string(what) + ": " + (words != nullptr ? words : "unknown failure") + " (" +
                system_error_name(error) + ")",
            error};
}

int last_system_error() {
    return errno;
}

std::string system_error_name(int error) {
    const char* name = ::strerrorname_np(error);
    return name != nullptr ? name : "error " + std::to_string(error);
}

std::optional<int> system_error_value(std::string_view name) {
    for (int error = 1; error <= kHighestError; ++error) {
        if (const char* known = ::strerrorname_np(error); known != nullptr && name == known)
            return error;
    }
    return std::nullopt;
}

}  // namespace sheaf::platform
