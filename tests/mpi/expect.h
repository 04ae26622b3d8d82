// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Checks of MPI programs. A test is a name and a function that all ranks run; it passes when no
/// check failed on any rank. What fails is printed with the rank, the expected and the found value,
/// bytes as half-open ranges. finish() prints `N passed, N failed, N skipped` from rank 0.

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace expect {

using Bytes = std::vector<unsigned char>;

struct State {
    int passed = 0;
    int failed = 0;
    int skipped = 0;
    int complaints = 0;  // In the running test, on this rank.
    std::string test;
    std::string skip_reason;
};

inline State& state() {
    static State instance;
    return instance;
}

inline int rank() {
    int value = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &value);
    return value;
}

inline int ranks() {
    int value = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &value);
    return value;
}

inline void complain(const std::string& what) {
    constexpr int kMost = 8;
    if (++state().complaints > kMost) return;
    std::printf("FAILED %s, rank %d: %s\n", state().test.c_str(), rank(), what.c_str());
    std::fflush(stdout);
}

inline void that(bool good, const std::string& what) {
    if (!good) complain(what);
}

/// Integers of any kind.
template <class Found, class Expected>
void equal(const std::string& what, Found found, Expected expected) {
    const auto a = static_cast<long long>(found);
    const auto b = static_cast<long long>(expected);
    if (a != b) complain(what + ": " + std::to_string(a) + ", expected " + std::to_string(b));
}

inline std::string text_of(int code) {
    std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    return text.data();
}

inline int class_of(int code) {
    int value = MPI_SUCCESS;
    MPI_Error_class(code, &value);
    return value;
}

/// `code` is of class `expected`.
inline void code(const std::string& what, int code, int expected = MPI_SUCCESS) {
    if (class_of(code) == expected) return;
    complain(what + ": class " + std::to_string(class_of(code)) + ", expected " +
             std::to_string(expected) + "; text \"" + text_of(code) + "\"");
}

inline void contains(const std::string& what, const std::string& text, const std::string& part) {
    if (text.find(part) == std::string::npos)
        complain(what + ": \"" + text + "\", expected to contain \"" + part + "\"");
}

/// Prints the first range that differs; `first` is the place of byte 0 in file or memory.
inline void bytes(const std::string& what, const void* found, const void* expected,
                  std::size_t count, long long first = 0) {
    const auto* a = static_cast<const unsigned char*>(found);
    const auto* b = static_cast<const unsigned char*>(expected);
    std::size_t begin = 0;
    while (begin < count && a[begin] == b[begin]) ++begin;
    if (begin == count) return;
    std::size_t end = begin;
    while (end < count && a[end] != b[end]) ++end;
    const auto place = [&](std::size_t i) {
        return std::to_string(first + static_cast<long long>(i));
    };
    complain(what + ": bytes [" + place(begin) + ", " + place(end) + ") differ, the first is " +
             std::to_string(a[begin]) + ", expected " + std::to_string(b[begin]));
}

inline void bytes(const std::string& what, const Bytes& found, const Bytes& expected) {
    equal(what + ": number of bytes", found.size(), expected.size());
    bytes(what, found.data(), expected.data(), std::min(found.size(), expected.size()));
}

/// Bytes that the status counts.
inline void moved(const std::string& what, const MPI_Status& status, long long expected) {
    MPI_Count found = -1;
    MPI_Get_elements_x(&status, MPI_BYTE, &found);
    equal(what + ": bytes in the status", found, expected);
}

/// To be followed by return, on all ranks.
inline void skip(const std::string& reason) {
    state().skip_reason = reason;
}

/// Collective.
template <class Body>
void test(const std::string& name, Body&& body) {
    State& now = state();
    now.test = name;
    now.complaints = 0;
    now.skip_reason.clear();
    body();
    std::array<int, 2> mine{now.complaints, now.skip_reason.empty() ? 0 : 1};
    std::array<int, 2> all{};
    MPI_Allreduce(mine.data(), all.data(), 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    ++(all[0] > 0 ? now.failed : all[1] > 0 ? now.skipped : now.passed);
    if (all[0] == 0 && rank() == 0 && all[1] > 0)
        std::printf("skip: %s: %s\n", name.c_str(), now.skip_reason.c_str());
}

/// Ends MPI and the program: the exit status.
inline int finish() {
    const bool speaks = rank() == 0;
    MPI_Finalize();
    const State& now = state();
    if (speaks)
        std::printf("%d passed, %d failed, %d skipped\n", now.passed, now.failed, now.skipped);
    return now.failed == 0 ? 0 : 1;
}

/// MPI_Init; the folder for files, the program's only argument.
inline std::string begin(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc == 2) return argv[1];
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    MPI_Abort(MPI_COMM_WORLD, 2);
    return {};
}

/// Collective: rank 0 runs `body`, nobody goes on before.
template <class Body>
void on_rank_0(Body&& body) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) body();
    MPI_Barrier(MPI_COMM_WORLD);
}

/// Without MPI-IO.
inline Bytes contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void put_contents(const std::string& path, const Bytes& data) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(data.data()),
               static_cast<std::streamsize>(data.size()));
}

/// Info with one hint; to be freed.
inline MPI_Info hint(const char* name, const char* value) {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, name, value);
    return info;
}

inline MPI_File open(const std::string& path, int amode, MPI_Info info = MPI_INFO_NULL,
                     MPI_Comm communicator = MPI_COMM_WORLD) {
    MPI_File file = MPI_FILE_NULL;
    code("open", MPI_File_open(communicator, path.c_str(), amode, info, &file));
    return file;
}

/// Opened by all ranks with this collective algorithm.
inline MPI_File open_with(const std::string& path, int amode, const char* algorithm) {
    MPI_Info info = hint("sheaf_fcoll", algorithm);
    MPI_File file = open(path, amode, info);
    MPI_Info_free(&info);
    return file;
}

inline constexpr std::array kAlgorithms{"individual", "two_phase"};

}  // namespace expect
