// SPDX-License-Identifier: BSD-3-Clause

/// Accesses of more than 2^31 bytes, by large counts and by small counts of large types, and what
/// statuses say of them. Memory stays small: types of extent 0, and buffers whose pages are all the
/// same ones. Usage: large FOLDER, 2 ranks

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <climits>

#include "expect.h"

namespace {

using expect::Bytes;

constexpr long long kMebibyte = 1 << 20;
constexpr long long kMany = (1LL << 31) + 5;
constexpr int kUndefined = MPI_UNDEFINED;  // An enumerator or a macro.
std::string g_path;

// Not in every mpi.h; Sheaf has them all the same.
using AccessAt = int(MPI_File, MPI_Offset, void*, MPI_Count, MPI_Datatype, MPI_Status*);
using Access = int(MPI_File, void*, MPI_Count, MPI_Datatype, MPI_Status*);

template <class Function>
Function* large_count(const char* name) {
    auto* function = reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
    if (function == nullptr) expect::complain(std::string(name) + " does not exist");
    return function;
}

/// kMany bytes of addresses over one MiB of memory, repeated; the bytes behind 2^31 are separate.
class Window {
public:
    Window() : base_(map(nullptr, kMany + kMebibyte, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1)) {
        const int memory = ::memfd_create("window", 0);
        expect::that(memory >= 0 && ::ftruncate(memory, 2 * kMebibyte) == 0, "memfd_create");
        for (long long at = 0; at < kMany; at += kMebibyte) {
            const bool last = at + kMebibyte > kMany;
            map(base_ + at, kMebibyte, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory,
                last ? kMebibyte : 0);
        }
        ::close(memory);
    }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    ~Window() { ::munmap(base_, static_cast<std::size_t>(kMany + kMebibyte)); }

    [[nodiscard]] unsigned char* base() const { return base_; }

private:
    static unsigned char* map(unsigned char* at, long long length, int access, int flags, int file,
                              off_t offset = 0) {
        void* place = ::mmap(at, static_cast<std::size_t>(length), access, flags, file, offset);
        if (place == MAP_FAILED) MPI_Abort(MPI_COMM_WORLD, 3);
        return static_cast<unsigned char*>(place);
    }
    unsigned char* base_;
};

/// A hole of 2^31 bytes, then "tail0" to "tail9".
void sparse_file() {
    expect::on_rank_0([] {
        const int file = ::open(g_path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
        const bool good = ::pwrite(file, "tail0tail1", 10, 1LL << 31) == 10;
        expect::that(good, "pwrite");
        ::close(file);
    });
}

/// What the functions of the host make of `bytes` in the status.
void check_status(const std::string& what, const MPI_Status& status, long long bytes) {
    expect::moved(what, status, bytes);
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    const long long shown = bytes > INT_MAX ? kUndefined : bytes;
    expect::equal(what + ": MPI_Get_count of MPI_BYTE", count, shown);
    MPI_Get_count(&status, MPI_INT, &count);
    const long long integers = bytes % 4 != 0 ? kUndefined : bytes / 4;
    expect::equal(what + ": MPI_Get_count of MPI_INT", count, integers);
}

using Call = int (*)(MPI_File, void*, MPI_Count, MPI_Status*);

int read_at_c(MPI_File file, void* buffer, MPI_Count count, MPI_Status* status) {
    return large_count<AccessAt>("MPI_File_read_at_c")(file, 0, buffer, count, MPI_BYTE, status);
}

int read_c(MPI_File file, void* buffer, MPI_Count count, MPI_Status* status) {
    return large_count<Access>("MPI_File_read_c")(file, buffer, count, MPI_BYTE, status);
}

int read_at_all_c(MPI_File file, void* buffer, MPI_Count count, MPI_Status* status) {
    // Collective, where only rank 0 reads much.
    return large_count<AccessAt>("MPI_File_read_at_all_c")(file, 0, buffer, count, MPI_BYTE,
                                                           status);
}

/// Rank 0 reads 2^31 + 5 bytes, rank 1 five.
void large_read(const std::string& what, Call call) {
    const Window window;
    const bool much = expect::rank() == 0;
    MPI_File file = expect::open(g_path, MPI_MODE_RDONLY);
    MPI_Status status;
    expect::code(what, call(file, window.base(), much ? kMany : 5, &status));
    if (much) {
        check_status(what, status, kMany);
        expect::bytes(what, window.base() + (1LL << 31), "tail0", 5, 1LL << 31);
    } else {
        check_status(what, status, 5);
    }
    // Across the end: 10 bytes are there behind 2^31.
    MPI_File_seek(file, 1LL << 31, MPI_SEEK_SET);
    expect::code("read", MPI_File_read(file, window.base(), 20, MPI_BYTE, &status));
    expect::moved("read across the end", status, 10);
    expect::bytes("read across the end", window.base(), "tail0tail1", 10, 1LL << 31);
    MPI_File_close(&file);
}

/// The pointer and the status of a large count that meets the end of the file.
void large_read_across_the_end() {
    const Window window;
    MPI_File file = expect::open(g_path, MPI_MODE_RDONLY);
    if (expect::rank() == 0) {
        const MPI_Offset first = 1LL << 30;
        MPI_Status status;
        MPI_File_seek(file, first, MPI_SEEK_SET);
        expect::code("read_c", read_c(file, window.base(), kMany, &status));
        check_status("read_c", status, (1LL << 30) + 10);
        MPI_Offset position = -1;
        MPI_File_get_position(file, &position);
        expect::equal("pointer afterwards", position, first + kMany);
    }
    MPI_File_close(&file);
}

void negative_counts() {
    MPI_File file = expect::open(g_path, MPI_MODE_RDONLY);
    char byte = 0;
    expect::code("read_at_c", read_at_c(file, &byte, -1, MPI_STATUS_IGNORE), MPI_ERR_COUNT);
    expect::code("read_at_all_c", read_at_all_c(file, &byte, -(1LL << 40), MPI_STATUS_IGNORE),
                 MPI_ERR_COUNT);
    MPI_File_close(&file);
}

/// One MiB of data, extent 0: any number of them lies in the same place.
MPI_Datatype stacked_mebibyte() {
    MPI_Datatype contiguous = MPI_DATATYPE_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(kMebibyte, MPI_BYTE, &contiguous);
    MPI_Type_create_resized(contiguous, 0, 0, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&contiguous);
    return type;
}

bool has_room(long long bytes) {
    struct statvfs facts {};
    const std::string folder = g_path.substr(0, g_path.rfind('/'));
    if (::statvfs(folder.c_str(), &facts) != 0) return false;
    return static_cast<long long>(facts.f_bavail) * static_cast<long long>(facts.f_frsize) > bytes;
}

constexpr int kStacked = 2049;

void check_stacked_file(const Bytes& mebibyte) {
    struct stat facts {};
    ::stat(g_path.c_str(), &facts);
    expect::equal("size of the file", facts.st_size, kStacked * kMebibyte);
    const int file = ::open(g_path.c_str(), O_RDONLY);
    Bytes found(1 << 20);
    for (const long long i : {0, 1000, 2046, 2047, 2048}) {
        expect::equal("pread", ::pread(file, found.data(), found.size(), i * kMebibyte), kMebibyte);
        expect::bytes("file", found.data(), mebibyte.data(), found.size(), i * kMebibyte);
    }
    ::close(file);
}

/// Rank 0 writes 2049 MiB by an int count, collectively.
void many_large_types() {
    if (!has_room(8LL << 30)) return expect::skip("less than 8 GiB free in this folder");
    expect::on_rank_0([] { ::unlink(g_path.c_str()); });
    Bytes mebibyte(1 << 20);
    for (std::size_t i = 0; i < mebibyte.size(); ++i)
        mebibyte[i] = static_cast<unsigned char>(i * 13 + i / 256);
    MPI_File file = expect::open(g_path, MPI_MODE_CREATE | MPI_MODE_RDWR);
    MPI_Datatype type = stacked_mebibyte();
    const int count = expect::rank() == 0 ? kStacked : 0;
    MPI_Status status;
    expect::code("write_all", MPI_File_write_all(file, mebibyte.data(), count, type, &status));
    expect::moved("write_all", status, count * kMebibyte);
    int types = -1;
    MPI_Get_count(&status, type, &types);
    expect::equal("MPI_Get_count of the type", types, count);
    int elements = -1;
    MPI_Get_elements(&status, type, &elements);
    expect::equal("MPI_Get_elements", elements, count == 0 ? 0 : kUndefined);
    MPI_Offset position = -1;
    MPI_File_get_position(file, &position);
    expect::equal("pointer", position, count * kMebibyte);
    MPI_Type_free(&type);
    MPI_File_close(&file);
    expect::on_rank_0([&] {
        check_stacked_file(mebibyte);
        ::unlink(g_path.c_str());
    });
}

/// A total that no offset can name is refused.
void overflow() {
    MPI_Datatype large = MPI_DATATYPE_NULL;
    MPI_Datatype huge = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(INT_MAX, MPI_BYTE, &large);
    MPI_Type_create_hvector(1 << 30, 1, 0, large, &huge);
    MPI_Type_commit(&huge);
    MPI_Type_free(&large);
    MPI_File file = expect::open(g_path, MPI_MODE_CREATE | MPI_MODE_RDWR);
    char byte = 0;
    const int code = MPI_File_write_at(file, 0, &byte, 1000, huge, MPI_STATUS_IGNORE);
    expect::that(code != MPI_SUCCESS, "a write of 2^71 bytes fails");
    MPI_File_close(&file);
    MPI_Type_free(&huge);
}

}  // namespace

int main(int argc, char** argv) {
    g_path = expect::begin(argc, argv) + "/large";
    sparse_file();
    expect::test("read_at_c", [] { large_read("read_at_c", read_at_c); });
    expect::test("read_at_all_c", [] { large_read("read_at_all_c", read_at_all_c); });
    expect::test("across the end", large_read_across_the_end);
    expect::test("negative counts", negative_counts);
    expect::test("many large types", many_large_types);
    expect::test("overflow", overflow);
    return expect::finish();
}
