// SPDX-License-Identifier: BSD-3-Clause

/// What goes wrong, by class, text and error handler; and that a rank with an invalid argument in a
/// collective call leaves nobody waiting. Usage: errors FOLDER, 4 ranks

#include <sys/stat.h>

#include "expect.h"

namespace {

using expect::Bytes;

std::string g_folder;
std::string g_path;

void fresh_file() {
    expect::on_rank_0([] { expect::put_contents(g_path, Bytes(64, 'x')); });
}

// Calls of count_call() and what the latest was given.
int g_calls = 0;
MPI_File g_handler_file;
int g_handler_code = MPI_SUCCESS;

void count_call(MPI_File* file, int* code, ...) {
    ++g_calls;
    g_handler_file = *file;
    g_handler_code = *code;
}

MPI_Errhandler counting_handler() {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_File_create_errhandler(count_call, &handler);
    g_calls = 0;
    g_handler_code = MPI_SUCCESS;
    return handler;
}

/// The code has the class, and its text all the parts.
void failure(const std::string& what, int code, int expected,
             const std::vector<std::string>& parts) {
    expect::code(what, code, expected);
    const std::string text = expect::text_of(code);
    expect::that(text.size() < MPI_MAX_ERROR_STRING, what + ": text too long");
    for (const std::string& part : parts) expect::contains(what, text, part);
}

int open_code(const std::string& path, int amode, MPI_File* file) {
    return MPI_File_open(MPI_COMM_WORLD, path.c_str(), amode, MPI_INFO_NULL, file);
}

void open_failures() {
    fresh_file();
    MPI_File file = MPI_FILE_NULL;
    const auto fails = [&](const std::string& path, int amode, int expected,
                           const std::vector<std::string>& parts) {
        file = reinterpret_cast<MPI_File>(&file);  // Anything but null.
        failure("open " + path.substr(0, 80), open_code(path, amode, &file), expected, parts);
        expect::that(file == MPI_FILE_NULL, "the handle is MPI_FILE_NULL after a failed open");
    };
    const std::string missing = g_folder + "/missing";
    fails(missing, MPI_MODE_RDONLY, MPI_ERR_NO_SUCH_FILE, {missing, "open", "ENOENT"});
    fails(g_path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL, MPI_ERR_FILE_EXISTS,
          {g_path, "open", "EEXIST"});
    fails(g_path, MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_ERR_AMODE, {g_path});
    fails(g_path, MPI_MODE_RDONLY | MPI_MODE_EXCL, MPI_ERR_AMODE, {g_path});
    fails(g_path, MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL, MPI_ERR_AMODE, {g_path});
    fails(g_path, MPI_MODE_RDWR | MPI_MODE_WRONLY, MPI_ERR_AMODE, {g_path});
    fails(g_path, 0, MPI_ERR_AMODE, {g_path});
    fails(g_path + "/below", MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_ERR_BAD_FILE, {"ENOTDIR"});
    fails(g_folder, MPI_MODE_RDWR, MPI_ERR_BAD_FILE, {g_folder, "EISDIR"});
    fails("", MPI_MODE_RDWR, MPI_ERR_BAD_FILE, {"empty"});
}

/// A path of nearly 4000 bytes: the text keeps its end and the reason.
void long_path() {
    std::string path = g_folder;
    while (path.size() < 3950) path += "/" + std::string(40, 'd');
    path += "/the_end";
    MPI_File file = MPI_FILE_NULL;
    const int code = open_code(path, MPI_MODE_RDONLY, &file);
    failure("open of a long path", code, MPI_ERR_NO_SUCH_FILE, {"ENOENT", "/the_end"});
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = -1;
    MPI_Error_string(code, text.data(), &length);
    expect::equal("length of the text", length, std::strlen(text.data()));
    path.resize(5000, 'x');
    failure("open of a path that is too long", open_code(path, MPI_MODE_RDONLY, &file),
            MPI_ERR_BAD_FILE, {});
}

void deleting() {
    const std::string missing = g_folder + "/missing";
    failure("delete", MPI_File_delete(missing.c_str(), MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE,
            {missing, "ENOENT"});
    fresh_file();
    expect::on_rank_0([] {
        expect::code("delete", MPI_File_delete(g_path.c_str(), MPI_INFO_NULL));
        struct stat unused {};
        expect::that(::stat(g_path.c_str(), &unused) != 0, "the file is gone");
    });
}

void against_the_access_mode() {
    fresh_file();
    std::array<char, 4> buffer{};
    MPI_File file = expect::open(g_path, MPI_MODE_RDONLY);
    failure("write", MPI_File_write_at(file, 0, buffer.data(), 4, MPI_BYTE, MPI_STATUS_IGNORE),
            MPI_ERR_READ_ONLY, {g_path, "write"});
    failure("write_all", MPI_File_write_all(file, buffer.data(), 4, MPI_BYTE, MPI_STATUS_IGNORE),
            MPI_ERR_READ_ONLY, {g_path, "write"});
    failure("set_size", MPI_File_set_size(file, 3), MPI_ERR_READ_ONLY, {g_path, "set_size"});
    failure("preallocate", MPI_File_preallocate(file, 3), MPI_ERR_READ_ONLY, {g_path});
    MPI_File_close(&file);
    file = expect::open(g_path, MPI_MODE_WRONLY);
    failure("read", MPI_File_read_at(file, 0, buffer.data(), 4, MPI_BYTE, MPI_STATUS_IGNORE),
            MPI_ERR_ACCESS, {g_path, "read"});
    failure("read_all", MPI_File_read_all(file, buffer.data(), 4, MPI_BYTE, MPI_STATUS_IGNORE),
            MPI_ERR_ACCESS, {g_path, "read"});
    MPI_File_close(&file);
    expect::on_rank_0([] { expect::bytes("file", expect::contents(g_path), Bytes(64, 'x')); });
}

void bad_arguments() {
    fresh_file();
    MPI_File file = expect::open(g_path, MPI_MODE_RDWR);
    std::array<char, 8> buffer{};
    void* place = buffer.data();
    MPI_Status* no_status = MPI_STATUS_IGNORE;
    MPI_File_seek(file, 7, MPI_SEEK_SET);
    failure("count", MPI_File_read(file, place, -1, MPI_BYTE, no_status), MPI_ERR_COUNT, {g_path});
    failure("offset", MPI_File_write_at(file, -1, place, 1, MPI_BYTE, no_status), MPI_ERR_ARG,
            {g_path, "offset"});
    failure("type", MPI_File_write(file, place, 1, MPI_DATATYPE_NULL, no_status), MPI_ERR_TYPE, {});
    failure("seek", MPI_File_seek(file, -1, MPI_SEEK_SET), MPI_ERR_ARG, {g_path, "seek"});
    failure("seek", MPI_File_seek(file, -8, MPI_SEEK_CUR), MPI_ERR_ARG, {g_path, "seek"});
    failure("seek", MPI_File_seek(file, -65, MPI_SEEK_END), MPI_ERR_ARG, {g_path, "seek"});
    failure("whence", MPI_File_seek(file, 1, 12345), MPI_ERR_ARG, {"whence"});
    MPI_Offset offset = -1;
    MPI_File_get_position(file, &offset);
    expect::equal("the pointer after failed calls", offset, 7);
    failure("get_byte_offset", MPI_File_get_byte_offset(file, -1, &offset), MPI_ERR_ARG, {g_path});
    failure("set_size", MPI_File_set_size(file, -1), MPI_ERR_ARG, {g_path, "set_size"});
    failure("preallocate", MPI_File_preallocate(file, -1), MPI_ERR_ARG, {g_path});
    failure("set_view",
            MPI_File_set_view(file, 0, MPI_DATATYPE_NULL, MPI_BYTE, "native", MPI_INFO_NULL),
            MPI_ERR_TYPE, {});
    failure("set_view", MPI_File_set_view(file, -5, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL),
            MPI_ERR_ARG, {g_path, "displacement"});
    failure("set_view", MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "morse", MPI_INFO_NULL),
            MPI_ERR_UNSUPPORTED_DATAREP, {"morse"});
    failure("set_view", MPI_File_set_view(file, 0, MPI_INT, MPI_SHORT, "native", MPI_INFO_NULL),
            MPI_ERR_TYPE, {g_path, "filetype"});
    failure("unsupported", MPI_File_write_shared(file, place, 1, MPI_BYTE, no_status),
            MPI_ERR_UNSUPPORTED_OPERATION, {"MPI_File_write_shared"});
    expect::code("write", MPI_File_write(file, place, 8, MPI_BYTE, no_status));
    expect::code("close", MPI_File_close(&file));
}

void bad_handles() {
    fresh_file();
    MPI_File closed = expect::open(g_path, MPI_MODE_RDWR);
    MPI_File file = closed;
    expect::code("close", MPI_File_close(&file));
    expect::that(file == MPI_FILE_NULL, "close sets the handle to MPI_FILE_NULL");
    std::array<char, 4096> somewhere{};
    const std::array handles{MPI_File(MPI_FILE_NULL), closed,
                             reinterpret_cast<MPI_File>(somewhere.data() + 1024),
                             reinterpret_cast<MPI_File>(std::intptr_t{12345}),
                             reinterpret_cast<MPI_File>(std::intptr_t{-1})};
    for (MPI_File bad : handles) {
        char byte = 0;
        MPI_Offset offset = 0;
        failure("write", MPI_File_write_at(bad, 0, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE),
                MPI_ERR_FILE, {"handle"});
        failure("read_all", MPI_File_read_all(bad, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE),
                MPI_ERR_FILE, {"handle"});
        failure("get_size", MPI_File_get_size(bad, &offset), MPI_ERR_FILE, {});
        failure("sync", MPI_File_sync(bad), MPI_ERR_FILE, {});
        file = bad;
        failure("close", MPI_File_close(&file), MPI_ERR_FILE, {});
    }
}

void handlers() {
    fresh_file();
    MPI_File file = expect::open(g_path, MPI_MODE_RDONLY);
    MPI_Errhandler found = MPI_ERRHANDLER_NULL;
    MPI_File_get_errhandler(file, &found);
    expect::that(found == MPI_ERRORS_RETURN, "files start with MPI_ERRORS_RETURN");

    MPI_Errhandler handler = counting_handler();
    expect::code("set_errhandler", MPI_File_set_errhandler(file, handler));
    MPI_File_get_errhandler(file, &found);
    expect::that(found == handler, "get_errhandler returns what was set");
    expect::code("Errhandler_free", MPI_Errhandler_free(&found));
    expect::that(found == MPI_ERRHANDLER_NULL, "free sets the handle to null");
    // Freed before use: the file keeps it.
    expect::code("Errhandler_free", MPI_Errhandler_free(&handler));
    char byte = 'y';
    const int code = MPI_File_write(file, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    expect::code("write", code, MPI_ERR_READ_ONLY);
    expect::equal("calls of the handler", g_calls, 1);
    expect::that(g_handler_file == file, "the handler is given the file");
    expect::equal("code given to the handler", g_handler_code, code);
    expect::code("call_errhandler", MPI_File_call_errhandler(file, MPI_ERR_IO));
    expect::equal("calls of the handler", g_calls, 2);
    expect::equal("code given to the handler", g_handler_code, MPI_ERR_IO);
    MPI_File_read_at(file, 0, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    expect::equal("calls after a success", g_calls, 2);

    // Given out once more by get, it outlives its removal from the file.
    MPI_File_get_errhandler(file, &found);
    MPI_File_set_errhandler(file, MPI_ERRORS_RETURN);
    MPI_File_write(file, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    expect::equal("calls after MPI_ERRORS_RETURN", g_calls, 2);
    MPI_File_set_errhandler(file, found);
    MPI_Errhandler_free(&found);
    MPI_File_write(file, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    expect::equal("calls after it was set again", g_calls, 3);
    expect::code("close", MPI_File_close(&file));
}

/// The handler of MPI_FILE_NULL serves calls without a file and is inherited by files opened later.
void default_handler() {
    fresh_file();
    MPI_File before = expect::open(g_path, MPI_MODE_RDONLY);
    MPI_Errhandler handler = counting_handler();
    expect::code("set_errhandler", MPI_File_set_errhandler(MPI_FILE_NULL, handler));
    MPI_File file = MPI_FILE_NULL;
    expect::code("open", open_code(g_folder + "/missing", MPI_MODE_RDONLY, &file),
                 MPI_ERR_NO_SUCH_FILE);
    expect::equal("calls after a failed open", g_calls, 1);
    expect::that(g_handler_file == MPI_FILE_NULL, "the handler is given MPI_FILE_NULL");
    MPI_File_delete((g_folder + "/missing").c_str(), MPI_INFO_NULL);
    expect::equal("calls after a failed delete", g_calls, 2);

    MPI_File inheriting = expect::open(g_path, MPI_MODE_RDONLY);
    expect::code("set_errhandler", MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    expect::code("Errhandler_free", MPI_Errhandler_free(&handler));
    char byte = 'y';
    MPI_File_write(before, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    expect::equal("calls by a file opened before", g_calls, 2);
    MPI_File_write(inheriting, &byte, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    expect::equal("calls by a file opened since", g_calls, 3);
    expect::that(g_handler_file == inheriting, "the handler is given the file");
    MPI_File_close(&before);
    MPI_File_close(&inheriting);
}

/// Calls whose argument is invalid on the ranks of `bad`: those get `own`, the others the class of
/// the lowest of them with a text that names it.
template <class Call>
void one_sided(const std::string& what, const std::vector<int>& bad, int own, Call&& call) {
    const bool wrong = std::find(bad.begin(), bad.end(), expect::rank()) != bad.end();
    const int code = call(wrong);
    failure(what, code, own, {});
    if (!wrong) failure(what, code, own, {"rank " + std::to_string(bad.front())});
    if (!wrong && bad.size() > 1) failure(what, code, own, {"other rank"});
}

void collective_arguments(const char* algorithm) {
    fresh_file();
    MPI_File file = expect::open_with(g_path, MPI_MODE_RDWR, algorithm);
    std::array<char, 16> buffer{};
    const MPI_Offset mine = expect::rank() * 16;
    MPI_Status* no_status = MPI_STATUS_IGNORE;
    const auto write = [&](bool wrong) {
        return MPI_File_write_at_all(file, mine, buffer.data(), wrong ? -1 : 16, MPI_BYTE,
                                     no_status);
    };
    one_sided("write_at_all with a count", {2}, MPI_ERR_COUNT, write);
    one_sided("write_at_all with a count", {1, 3}, MPI_ERR_COUNT, write);
    one_sided("write_all with a type", {3}, MPI_ERR_TYPE, [&](bool wrong) {
        return MPI_File_write_all(file, buffer.data(), 0, wrong ? MPI_DATATYPE_NULL : MPI_BYTE,
                                  no_status);
    });
    one_sided("read_at_all with an offset", {0}, MPI_ERR_ARG, [&](bool wrong) {
        return MPI_File_read_at_all(file, wrong ? -4 : mine, buffer.data(), 16, MPI_BYTE,
                                    no_status);
    });
    one_sided("set_view with a displacement", {1}, MPI_ERR_ARG, [&](bool wrong) {
        return MPI_File_set_view(file, wrong ? -4 : 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    });
    one_sided("set_view with a filetype", {3}, MPI_ERR_TYPE, [&](bool wrong) {
        return MPI_File_set_view(file, 0, MPI_BYTE, wrong ? MPI_DATATYPE_NULL : MPI_BYTE, "native",
                                 MPI_INFO_NULL);
    });
    one_sided("set_size", {2}, MPI_ERR_ARG,
              [&](bool wrong) { return MPI_File_set_size(file, wrong ? -1 : 64); });
    one_sided("open without a place for the handle", {2}, MPI_ERR_ARG, [&](bool wrong) {
        MPI_File other = MPI_FILE_NULL;
        return MPI_File_open(MPI_COMM_WORLD, g_path.c_str(), MPI_MODE_RDWR, MPI_INFO_NULL,
                             wrong ? nullptr : &other);
    });
    expect::code("write_at_all",
                 MPI_File_write_at_all(file, mine, buffer.data(), 16, MPI_BYTE, no_status));
    expect::code("close", MPI_File_close(&file));
    expect::on_rank_0([] { expect::bytes("file", expect::contents(g_path), Bytes(64, 0)); });
}

/// Arguments that should be equal and are not.
void different_arguments() {
    fresh_file();
    MPI_File file = MPI_FILE_NULL;
    const bool last = expect::rank() == 3;
    one_sided("open with an access mode", {3}, MPI_ERR_AMODE, [&](bool wrong) {
        return open_code(g_path, wrong ? MPI_MODE_RDONLY | MPI_MODE_RDWR : MPI_MODE_RDWR, &file);
    });
    one_sided("open without a name", {1}, MPI_ERR_BAD_FILE,
              [&](bool wrong) { return open_code(wrong ? "" : g_path, MPI_MODE_RDWR, &file); });
    failure("open", open_code(g_path, last ? MPI_MODE_RDWR : MPI_MODE_RDONLY, &file),
            MPI_ERR_NOT_SAME, {g_path, "access mode"});
    expect::that(file == MPI_FILE_NULL, "the handle is MPI_FILE_NULL after a failed open");
    file = expect::open(g_path, MPI_MODE_RDWR);
    failure("set_size", MPI_File_set_size(file, last ? 64 : 32), MPI_ERR_NOT_SAME, {"size"});
    failure("set_view",
            MPI_File_set_view(file, 0, last ? MPI_INT : MPI_BYTE, MPI_INT, "native", MPI_INFO_NULL),
            MPI_ERR_NOT_SAME, {"etype"});
    expect::code("close", MPI_File_close(&file));
    expect::on_rank_0([] { expect::bytes("file", expect::contents(g_path), Bytes(64, 'x')); });
}

}  // namespace

int main(int argc, char** argv) {
    g_folder = expect::begin(argc, argv);
    g_path = g_folder + "/errors";
    expect::test("open failures", open_failures);
    expect::test("long path", long_path);
    expect::test("deleting", deleting);
    expect::test("against the access mode", against_the_access_mode);
    expect::test("bad arguments", bad_arguments);
    expect::test("bad handles", bad_handles);
    expect::test("handlers", handlers);
    expect::test("default handler", default_handler);
    for (const char* algorithm : expect::kAlgorithms) {
        expect::test(std::string("invalid on some ranks, ") + algorithm,
                     [&] { collective_arguments(algorithm); });
    }
    expect::test("different arguments", different_arguments);
    return expect::finish();
}
