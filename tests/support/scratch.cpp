// SPDX-License-Identifier: BSD-3-Clause
#include "support/scratch.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/assert.h"

namespace sheaf::testing {

namespace {

void set(const std::string& name, const char* value) {
    const int failed =
        value == nullptr ? ::unsetenv(name.c_str()) : ::setenv(name.c_str(), value, 1);
    SHEAF_ASSERT(failed == 0);
}

}  // namespace

Scratch::Scratch() : folder_(std::filesystem::temp_directory_path() / "sheaf-test-XXXXXX") {
    SHEAF_ASSERT(::mkdtemp(folder_.data()) != nullptr);
}

Scratch::~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

std::string Scratch::file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
}

std::vector<std::byte> contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<std::byte> bytes;
    std::transform(std::istreambuf_iterator<char>(file), {}, std::back_inserter(bytes),
                   [](char c) { return static_cast<std::byte>(c); });
    return bytes;
}

bool exists(const std::string& path) {
    return std::filesystem::exists(path);
}

ScopedEnvironment::ScopedEnvironment(std::string name, const char* value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) {
        was_set_ = true;
        before_ = before;
    }
    set(name_, value);
}

ScopedEnvironment::~ScopedEnvironment() {
    set(name_, was_set_ ? before_.c_str() : nullptr);
}

}  // namespace sheaf::testing
