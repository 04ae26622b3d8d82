// SPDX-License-Identifier: BSD-3-Clause
#include "abi/error_map.h"

#include <mpi.h>

#include <algorithm>
#include <array>

#include "base/assert.h"

namespace sheaf::abi {

namespace {

struct ErrorRow {
    Code code;
    int error_class;
    std::string_view class_name;
};

const std::array<ErrorRow, kCodeCount>& error_table() {
    // Not constexpr: some of the names are objects of the host library.
    static const std::array<ErrorRow, kCodeCount> table{{
        {Code::ok, MPI_SUCCESS, "MPI_SUCCESS"},
        {Code::access, MPI_ERR_ACCESS, "MPI_ERR_ACCESS"},
        {Code::amode, MPI_ERR_AMODE, "MPI_ERR_AMODE"},
        {Code::argument, MPI_ERR_ARG, "MPI_ERR_ARG"},
        {Code::bad_file, MPI_ERR_BAD_FILE, "MPI_ERR_BAD_FILE"},
        {Code::bad_handle, MPI_ERR_FILE, "MPI_ERR_FILE"},
        {Code::conversion, MPI_ERR_CONVERSION, "MPI_ERR_CONVERSION"},
        {Code::count, MPI_ERR_COUNT, "MPI_ERR_COUNT"},
        {Code::datarep_exists, MPI_ERR_DUP_DATAREP, "MPI_ERR_DUP_DATAREP"},
        {Code::datatype, MPI_ERR_TYPE, "MPI_ERR_TYPE"},
        {Code::disk_quota, MPI_ERR_QUOTA, "MPI_ERR_QUOTA"},
        {Code::file_exists, MPI_ERR_FILE_EXISTS, "MPI_ERR_FILE_EXISTS"},
        {Code::file_in_use, MPI_ERR_FILE_IN_USE, "MPI_ERR_FILE_IN_USE"},
        {Code::info, MPI_ERR_INFO, "MPI_ERR_INFO"},
        {Code::internal, MPI_ERR_INTERN, "MPI_ERR_INTERN"},
        {Code::io, MPI_ERR_IO, "MPI_ERR_IO"},
        {Code::no_memory, MPI_ERR_NO_MEM, "MPI_ERR_NO_MEM"},
        {Code::no_space, MPI_ERR_NO_SPACE, "MPI_ERR_NO_SPACE"},
        {Code::no_such_file, MPI_ERR_NO_SUCH_FILE, "MPI_ERR_NO_SUCH_FILE"},
        {Code::not_same, MPI_ERR_NOT_SAME, "MPI_ERR_NOT_SAME"},
        {Code::read_only, MPI_ERR_READ_ONLY, "MPI_ERR_READ_ONLY"},
        {Code::unsupported_datarep, MPI_ERR_UNSUPPORTED_DATAREP, "MPI_ERR_UNSUPPORTED_DATAREP"},
        {Code::unsupported_operation, MPI_ERR_UNSUPPORTED_OPERATION,
         "MPI_ERR_UNSUPPORTED_OPERATION"},
        {Code::overflow, MPI_ERR_ARG, "MPI_ERR_ARG"},
    }};
    return table;
}

const ErrorRow& row_of(Code code) {
    const ErrorRow& row = error_table()[static_cast<std::size_t>(code)];
    SHEAF_ASSERT(row.code == code);
    return row;
}

struct LatestError {
    int code = MPI_SUCCESS;
    std::string text;
};

LatestError& latest_error() {
    static thread_local LatestError latest;
    return latest;
}

}  // namespace

int error_class_of(Code code) {
    return row_of(code).error_class;
}

std::string_view class_name_of(Code code) {
    return row_of(code).class_name;
}

std::string remember_error(int code, const Status& status) {
    SHEAF_ASSERT(!status.ok() && code == error_class_of(status.code()));
    LatestError& latest = latest_error();
    latest.code = code;
    latest.text = std::string(class_name_of(status.code())) + ": " + std::string(status.text());
    return latest.text;
}

std::string_view remembered_error(int code) {
    const LatestError& latest = latest_error();
    return latest.code == code ? std::string_view(latest.text) : std::string_view{};
}

std::string fit_error_text(std::string_view text, std::size_t most) {
    if (text.size() <= most) return std::string(text);
    // "CLASS: PATH: what happened": the path stands between the first two separators.
    constexpr std::string_view kCut = "...";
    SHEAF_ASSERT(most > kCut.size());
    const std::size_t path = std::min(text.size(), text.find(": ") + 2);
    const std::size_t path_end = std::min(text.size(), text.find(": ", path));
    const std::size_t excess = text.size() - most + kCut.size();
    if (text[path == text.size() ? 0 : path] == '/' && path_end - path > excess) {
        return std::string(text.substr(0, path)) + std::string(kCut) +
               std::string(text.substr(path + excess));
    }
    return std::string(text.substr(0, most - kCut.size())) + std::string(kCut);
}

}  // namespace sheaf::abi
