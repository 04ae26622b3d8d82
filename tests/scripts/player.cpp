// SPDX-License-Identifier: BSD-3-Clause
#include "player.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>

#include "buffer.h"
#include "calls.h"
#include "realize.h"

namespace iotest {
namespace {

using Names = std::map<std::string, int>;

const Names& mode_names() {
    static const Names names{{"RDONLY", MPI_MODE_RDONLY},
                             {"RDWR", MPI_MODE_RDWR},
                             {"WRONLY", MPI_MODE_WRONLY},
                             {"CREATE", MPI_MODE_CREATE},
                             {"EXCL", MPI_MODE_EXCL},
                             {"DELETE_ON_CLOSE", MPI_MODE_DELETE_ON_CLOSE},
                             {"UNIQUE_OPEN", MPI_MODE_UNIQUE_OPEN},
                             {"SEQUENTIAL", MPI_MODE_SEQUENTIAL},
                             {"APPEND", MPI_MODE_APPEND}};
    return names;
}

const Names& error_names() {
    static const Names names{{"", MPI_SUCCESS},
                             {"MPI_ERR_AMODE", MPI_ERR_AMODE},
                             {"MPI_ERR_ARG", MPI_ERR_ARG},
                             {"MPI_ERR_ACCESS", MPI_ERR_ACCESS},
                             {"MPI_ERR_READ_ONLY", MPI_ERR_READ_ONLY},
                             {"MPI_ERR_FILE_EXISTS", MPI_ERR_FILE_EXISTS},
                             {"MPI_ERR_NO_SUCH_FILE", MPI_ERR_NO_SUCH_FILE},
                             {"MPI_ERR_UNSUPPORTED_OPERATION", MPI_ERR_UNSUPPORTED_OPERATION},
                             {"MPI_ERR_UNSUPPORTED_DATAREP", MPI_ERR_UNSUPPORTED_DATAREP},
                             {"MPI_ERR_COUNT", MPI_ERR_COUNT},
                             {"MPI_ERR_TYPE", MPI_ERR_TYPE},
                             {"MPI_ERR_FILE", MPI_ERR_FILE},
                             {"MPI_ERR_IO", MPI_ERR_IO}};
    return names;
}

std::string name_of(int error_class) {
    for (const auto& [name, value] : error_names()) {
        if (value == error_class) return name.empty() ? "success" : name;
    }
    return "class " + std::to_string(error_class);
}

std::string printable(const std::string& bytes) {
    std::string text = "\"";
    for (char byte : bytes) {
        if (byte == '\0') {
            text += "\\0";
        } else if (byte < ' ' || byte > '~') {
            std::array<char, 8> code{};
            std::snprintf(code.data(), code.size(), "\\x%02x",
                          static_cast<unsigned>(static_cast<unsigned char>(byte)));
            text += code.data();
        } else {
            text.push_back(byte);
        }
    }
    return text + "\"";
}

std::vector<std::uint8_t> to_bytes(const std::string& text) {
    return {text.begin(), text.end()};
}

std::string different(const std::string& what, const std::string& expected,
                      const std::string& found) {
    return what + ": expected " + expected + ", found " + found;
}

}  // namespace

Player::Player(MPI_Comm comm, std::string path) : comm_{comm}, path_{std::move(path)} {
    MPI_Comm_rank(comm, &rank_);
}

std::string Player::play(const Script& script) {
    prepare(script);
    bool going = true;
    if (!script.opens) {
        perform({.kind = StatementKind::open, .line = 0, .modes = {"RDWR", "CREATE"}});
        going = agree();
    }
    for (const Statement& statement : script.statements) {
        if (!going) break;
        perform(statement);
        if (!fault_.empty()) fault_ = std::to_string(statement.line) + ": " + fault_;
        going = agree();
    }
    finish();
    return fault_;
}

/// Closes the file if all ranks have it open; where only some have, nobody can.
void Player::finish() {
    int open = file_ != MPI_FILE_NULL ? 1 : 0;
    int all_open = 0;
    MPI_Allreduce(&open, &all_open, 1, MPI_INT, MPI_MIN, comm_);
    if (all_open != 0) check("MPI_File_close", MPI_File_close(&file_), "");
    if (rank_ == 0) std::remove(path_.c_str());
}

void Player::prepare(const Script& script) {
    if (rank_ == 0) {
        std::remove(path_.c_str());
        if (script.file) std::ofstream{path_, std::ios::binary} << *script.file;
    }
    MPI_Barrier(comm_);
}

bool Player::agree() {
    int own = fault_.empty() ? 0 : 1;
    int any = 0;
    MPI_Allreduce(&own, &any, 1, MPI_INT, MPI_MAX, comm_);
    return any == 0;
}

void Player::perform(const Statement& statement) {
    const std::string& error = statement.error;
    switch (statement.kind) {
        case StatementKind::open:
            return open(statement);
        case StatementKind::close:
            return check("MPI_File_close", MPI_File_close(&file_), error);
        case StatementKind::view:
            return set_view(statement);
        case StatementKind::all:
            return act(statement.action, true);
        case StatementKind::each:
            return act(statement.action, false);
        case StatementKind::resize:
            return check("MPI_File_set_size", MPI_File_set_size(file_, statement.number), error);
        case StatementKind::preallocate:
            return check("MPI_File_preallocate", MPI_File_preallocate(file_, statement.number),
                         error);
        case StatementKind::sync:
            return check("MPI_File_sync", MPI_File_sync(file_), error);
        case StatementKind::remove:
            return remove(error);
        case StatementKind::size:
            return expect_size(statement);
        case StatementKind::expect:
        case StatementKind::expect_absent:
            return expect_bytes(statement);
        case StatementKind::trace:
            return;
    }
}

void Player::remove(const std::string& error) {
    if (rank_ == 0) check("MPI_File_delete", MPI_File_delete(path_.c_str(), MPI_INFO_NULL), error);
}

void Player::expect_size(const Statement& statement) {
    MPI_Offset size = -1;
    check("MPI_File_get_size", MPI_File_get_size(file_, &size), statement.error);
    if (size != statement.number)
        fail(different("size", std::to_string(statement.number), std::to_string(size)));
}

void Player::open(const Statement& statement) {
    int amode = 0;
    for (const std::string& name : statement.modes) {
        const auto known = mode_names().find(name);
        if (known == mode_names().end()) return fail("no mode is called " + name);
        amode |= known->second;
    }
    MPI_File opened = MPI_FILE_NULL;
    const int code = MPI_File_open(comm_, path_.c_str(), amode, MPI_INFO_NULL, &opened);
    check("MPI_File_open", code, statement.error);
    if (code == MPI_SUCCESS) file_ = opened;
}

void Player::set_view(const Statement& statement) {
    const model::View& view = statement.view;
    const model::RealType etype{*view.etype};
    const model::RealType filetype{*view.filetype};
    const int code = MPI_File_set_view(file_, view.displacement, etype.get(), filetype.get(),
                                       "native", MPI_INFO_NULL);
    check("MPI_File_set_view", code, statement.error);
}

void Player::act(const Action& action, bool collective) {
    switch (action.kind) {
        case ActionKind::write:
        case ActionKind::read:
            return transfer(action, collective);
        case ActionKind::seek:
            return seek(action);
        case ActionKind::position: {
            MPI_Offset found = -1;
            check("MPI_File_get_position", MPI_File_get_position(file_, &found), action.error);
            if (found != action.number)
                fail(different("position", std::to_string(action.number), std::to_string(found)));
            return;
        }
        case ActionKind::byte_offset: {
            MPI_Offset found = -1;
            check("MPI_File_get_byte_offset",
                  MPI_File_get_byte_offset(file_, action.at.value_or(0), &found), action.error);
            if (found != action.number)
                fail(
                    different("byte offset", std::to_string(action.number), std::to_string(found)));
            return;
        }
        case ActionKind::nothing:
            // Of a collective line it means to take part with no data.
            if (collective) {
                Action empty;
                empty.kind = ActionKind::read;
                empty.memory = model::make_named(model::Basic::byte);
                transfer(empty, true);
            }
            return;
    }
}

void Player::transfer(const Action& action, bool collective) {
    const bool writes = action.kind == ActionKind::write;
    const std::int64_t bytes =
        writes ? static_cast<std::int64_t>(action.bytes.size()) : action.count;
    model::Step step{.kind = model::StepKind::access, .collective = collective};
    step.positioning =
        action.at ? model::Positioning::explicit_offset : model::Positioning::individual;
    model::Action call{.direction = writes ? model::Direction::write : model::Direction::read};
    call.offset = action.at.value_or(0);
    call.count = bytes == 0 ? 0 : bytes / action.memory->size;
    model::Buffer buffer{*action.memory, call.count};
    if (writes) buffer.scatter(to_bytes(action.bytes));
    const model::RealType type{*action.memory};
    MPI_Status status{};
    const int code = make_call(file_, step, call, {buffer.base(), type.get()}, &status);
    check(writes ? "write" : "read", code, action.error);
    if (code != MPI_SUCCESS || !action.error.empty()) return;
    int found = -1;
    MPI_Get_count(&status, MPI_BYTE, &found);
    if (found != static_cast<int>(action.bytes.size()))
        fail(different("bytes in the status", std::to_string(action.bytes.size()),
                       std::to_string(found)));
    if (auto difference = buffer.difference(to_bytes(action.bytes), {}, true)) fail(*difference);
}

void Player::seek(const Action& action) {
    const Names whences{{"set", MPI_SEEK_SET}, {"cur", MPI_SEEK_CUR}, {"end", MPI_SEEK_END}};
    const auto whence = whences.find(action.whence);
    if (whence == whences.end()) return fail("seek takes set, cur or end, not " + action.whence);
    check("MPI_File_seek", MPI_File_seek(file_, action.number, whence->second), action.error);
}

/// The file as a POSIX program sees it, once the ranks' writes have left their caches.
void Player::expect_bytes(const Statement& statement) {
    if (file_ != MPI_FILE_NULL) MPI_File_sync(file_);
    MPI_Barrier(comm_);
    if (rank_ != 0) {
        MPI_Barrier(comm_);
        return;
    }
    std::ifstream stream{path_, std::ios::binary};
    const bool absent = statement.kind == StatementKind::expect_absent;
    const std::string found{std::istreambuf_iterator<char>{stream},
                            std::istreambuf_iterator<char>{}};
    if (absent && stream.is_open()) fail("the file exists");
    if (!absent && !stream.is_open()) fail("there is no file");
    if (!absent && stream.is_open() && found != statement.bytes)
        fail(different("file", printable(statement.bytes), printable(found)));
    MPI_Barrier(comm_);
}

void Player::check(const char* call, int code, const std::string& error_class) {
    const auto expected = error_names().find(error_class);
    if (expected == error_names().end()) return fail("no error class is called " + error_class);
    int found = MPI_SUCCESS;
    MPI_Error_class(code, &found);
    if (found == expected->second) return;
    std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    fail(different(call, name_of(expected->second), name_of(found) + " (" + text.data() + ")"));
}

void Player::fail(const std::string& what) {
    if (fault_.empty()) fault_ = what;
}

}  // namespace iotest
