// SPDX-License-Identifier: BSD-3-Clause
#include "base/status.h"

#include <array>
#include <utility>

#include "base/assert.h"

namespace sheaf {

namespace {

constexpr std::array<std::string_view, kCodeCount> kCodeNames{"ok",
                                                              "access",
                                                              "amode",
                                                              "argument",
                                                              "bad_file",
                                                              "bad_handle",
                                                              "conversion",
                                                              "count",
                                                              "datarep_exists",
                                                              "datatype",
                                                              "disk_quota",
                                                              "file_exists",
                                                              "file_in_use",
                                                              "info",
                                                              "internal",
                                                              "io",
                                                              "no_memory",
                                                              "no_space",
                                                              "no_such_file",
                                                              "not_same",
                                                              "read_only",
                                                              "unsupported_datarep",
                                                              "unsupported_operation",
                                                              "overflow"};

}  // namespace

std::string_view name_of(Code code) {
    const auto index = static_cast<std::size_t>(code);
    SHEAF_ASSERT(index < kCodeNames.size());
    return kCodeNames[index];
}

Status::Status(Code code, std::string text, int system_error)
    : failure_(std::make_unique<Failure>(Failure{code, system_error, std::move(text)})) {
    SHEAF_ASSERT(code != Code::ok);
}

Status::Status(const Status& other)
    : failure_(other.failure_ ? std::make_unique<Failure>(*other.failure_) : nullptr) {}

Status& Status::operator=(const Status& other) {
    if (this != &other) *this = Status(other);
    return *this;
}

Status Status::with_context(std::string_view phrase) && {
    if (failure_) failure_->text = std::string(phrase) + ": " + failure_->text;
    return std::move(*this);
}

void Status::update(Status other) {
    if (ok()) *this = std::move(other);
}

}  // namespace sheaf
