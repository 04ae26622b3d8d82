// SPDX-License-Identifier: BSD-3-Clause

/// Views as large as files get, what get_view gives back, and array types against an oracle that
/// counts elements. Usage: views FOLDER, 4 ranks

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <functional>

#include "expect.h"

namespace {

using expect::Bytes;

constexpr long long kMostGrowthKib = 16 * 1024;
std::string g_folder;

/// A field of /proc/self/status, in KiB.
long long memory_kib(const std::string& field) {
    std::ifstream status("/proc/self/status");
    std::string name;
    while (status >> name) {
        long long value = 0;
        if (name == field + ":" && status >> value) return value;
        status.ignore(4096, '\n');
    }
    return -1;
}

/// Resident memory that `body` took at its peak beyond what was there before.
template <class Body>
long long growth_kib(Body&& body) {
    std::ofstream("/proc/self/clear_refs") << "5";  // VmHWM starts at VmRSS again.
    const long long before = memory_kib("VmRSS");
    body();
    expect::that(before > 0, "VmRSS can be read");
    return memory_kib("VmHWM") - before;
}

template <class Body>
void limited_memory(const std::string& what, long long most_kib, Body&& body) {
    const long long growth = growth_kib(body);
    expect::that(growth < most_kib, what + ": resident memory grew by " + std::to_string(growth) +
                                        " KiB, expected less than " + std::to_string(most_kib));
}

bool host_is_intel_mpi() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
    int length = 0;
    MPI_Get_library_version(version.data(), &length);
    return std::string(version.data()).find("Intel") != std::string::npos;
}

/// What the host itself takes for a second handle of the type: nothing, or (Intel MPI) a list of
/// all pieces. Sheaf needs one to give the type back in get_view.
/// Beyond that, Intel MPI makes buffers of 6 MiB at the first large messages.
long long host_kib_of(MPI_Datatype type) {
    const long long buffers = host_is_intel_mpi() ? 6 * 1024 : 0;
    return buffers + growth_kib([&] {
               MPI_Datatype twin = MPI_DATATYPE_NULL;
               MPI_Type_dup(type, &twin);
               MPI_Type_free(&twin);
           });
}

MPI_File new_file(const std::string& name, MPI_Comm communicator = MPI_COMM_WORLD) {
    const int amode = MPI_MODE_CREATE | MPI_MODE_RDWR;
    return expect::open(g_folder + "/" + name, amode, MPI_INFO_NULL, communicator);
}

MPI_Datatype committed(MPI_Datatype type) {
    MPI_Type_commit(&type);
    return type;
}

void set_view(MPI_File file, MPI_Offset displacement, MPI_Datatype etype, MPI_Datatype filetype) {
    expect::code("set_view",
                 MPI_File_set_view(file, displacement, etype, filetype, "native", MPI_INFO_NULL));
}

MPI_Datatype subarray(const std::vector<int>& sizes, const std::vector<int>& subsizes,
                      const std::vector<int>& starts, int order, MPI_Datatype element) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_subarray(static_cast<int>(sizes.size()), sizes.data(), subsizes.data(),
                             starts.data(), order, element, &type);
    return committed(type);
}

/// Byte k of the view is byte 2 k of the file, for 10^12 of them.
void use_near_the_end(MPI_File file, MPI_Datatype filetype) {
    constexpr MPI_Offset kPieces = 1'000'000'000'000;
    const MPI_Offset first = kPieces - 20 + 5 * expect::rank();
    const Bytes mine(5, static_cast<unsigned char>('a' + expect::rank()));
    set_view(file, 0, MPI_BYTE, filetype);
    expect::code("seek", MPI_File_seek(file, first, MPI_SEEK_SET));
    MPI_Offset offset = -1;
    expect::code("get_byte_offset", MPI_File_get_byte_offset(file, first, &offset));
    expect::equal("byte offset", offset, 2 * first);
    expect::code("write", MPI_File_write(file, mine.data(), 5, MPI_BYTE, MPI_STATUS_IGNORE));
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    Bytes found(5);
    MPI_Status status;
    expect::code("read_at_all",
                 MPI_File_read_at_all(file, first, found.data(), 5, MPI_BYTE, &status));
    expect::moved("read_at_all", status, 5);
    expect::bytes("bytes of the view", found, mine);
    MPI_File_get_byte_offset(file, kPieces + 3, &offset);
    expect::equal("byte offset in the next tile", offset, 2 * kPieces + 6);
    expect::code("seek", MPI_File_seek(file, -20, MPI_SEEK_END));
    MPI_File_get_position(file, &offset);
    expect::equal("20 before the end", offset, kPieces - 20);
}

bool holds_large_files(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT, 0600);
    const bool good = file >= 0 && ::pwrite(file, "x", 1, 2'000'000'000'000) == 1;
    if (file >= 0) ::close(file);
    ::unlink(path.c_str());
    return good;
}

void trillion_pieces() {
    const std::string path = g_folder + "/trillion";
    if (host_is_intel_mpi())
        return expect::skip("Intel MPI ends the program in MPI_Type_commit of 10^12 pieces");
    if (!holds_large_files(path + "-probe" + std::to_string(expect::rank())))
        return expect::skip("no file of 2 TB can be made in this folder");
    MPI_File file = new_file("trillion");
    MPI_Datatype filetype = subarray({1'000'000, 1'000'000, 2}, {1'000'000, 1'000'000, 1},
                                     {0, 0, 0}, MPI_ORDER_C, MPI_BYTE);
    limited_memory("a view of 10^12 pieces", kMostGrowthKib,
                   [&] { use_near_the_end(file, filetype); });
    MPI_Type_free(&filetype);
    expect::code("close", MPI_File_close(&file));
    expect::on_rank_0([&] {
        const int descriptor = ::open(path.c_str(), O_RDONLY);
        std::array<char, 40> found{};
        expect::equal("pread", ::pread(descriptor, found.data(), 40, 1'999'999'999'960), 39);
        std::string expected;
        for (const char c : std::string("aaaaabbbbbcccccddddd")) expected += {c, '\0'};
        expect::bytes("file", found.data(), expected.data(), 39, 1'999'999'999'960);
        ::close(descriptor);
        ::unlink(path.c_str());
    });
}

constexpr int kBlocks = 10'000'000;

std::uint64_t value_of(int rank, int block) {
    return (static_cast<std::uint64_t>(block) * 2 + static_cast<std::uint64_t>(rank)) *
           0x9E3779B97F4A7C15U;
}

void check_blocks(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<std::uint64_t> part(1 << 16);
    long long at = 0;
    long long wrong = 0;
    while (file.read(reinterpret_cast<char*>(part.data()), 1 << 19), file.gcount() > 0) {
        for (long long i = 0; i < file.gcount() / 8; ++i, ++at) {
            const std::uint64_t expected =
                value_of(static_cast<int>(at % 2), static_cast<int>(at / 2));
            if (part[static_cast<std::size_t>(i)] != expected && ++wrong == 1)
                expect::complain("bytes [" + std::to_string(8 * at) + ", " +
                                 std::to_string(8 * at + 8) + ") of the file are wrong");
        }
    }
    expect::equal("values in the file", at, 2LL * kBlocks);
    expect::equal("wrong values", wrong, 0);
}

/// Ranks 0 and 1 write and read 10^7 interleaved blocks of 8 bytes.
void many_blocks(const std::string& name, const std::function<MPI_Datatype(int)>& filetype_of) {
    MPI_Comm pair = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, expect::rank() < 2 ? 0 : MPI_UNDEFINED, 0, &pair);
    if (pair == MPI_COMM_NULL) return;
    const int rank = expect::rank();
    std::vector<std::uint64_t> data(kBlocks);
    for (int i = 0; i < kBlocks; ++i) data[static_cast<std::size_t>(i)] = value_of(rank, i);
    MPI_File file = new_file(name, pair);
    MPI_Datatype filetype = filetype_of(rank);
    const MPI_Offset displacement = name == "vector" ? 8 * rank : 0;
    const long long most_kib = kMostGrowthKib + host_kib_of(filetype);
    limited_memory("10^7 blocks by " + name, most_kib, [&] {
        set_view(file, displacement, MPI_UINT64_T, filetype);
        MPI_Status status;
        expect::code("write_all",
                     MPI_File_write_all(file, data.data(), kBlocks, MPI_UINT64_T, &status));
        expect::moved("write_all", status, 8LL * kBlocks);
        std::fill(data.begin(), data.end(), 0);
        expect::code("read_at_all",
                     MPI_File_read_at_all(file, 0, data.data(), kBlocks, MPI_UINT64_T, &status));
        expect::moved("read_at_all", status, 8LL * kBlocks);
    });
    long long wrong = 0;
    for (int i = 0; i < kBlocks; ++i)
        wrong += data[static_cast<std::size_t>(i)] != value_of(rank, i) ? 1 : 0;
    expect::equal("wrong values read", wrong, 0);
    MPI_Type_free(&filetype);
    MPI_File_close(&file);
    if (rank == 0) {
        check_blocks(g_folder + "/" + name);
        ::unlink((g_folder + "/" + name).c_str());
    }
    MPI_Comm_free(&pair);
}

MPI_Datatype every_second(int /*rank*/) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(kBlocks, 1, 2, MPI_UINT64_T, &type);
    return committed(type);
}

MPI_Datatype column_of_two(int rank) {
    return subarray({kBlocks, 2}, {kBlocks, 1}, {0, rank}, MPI_ORDER_C, MPI_UINT64_T);
}

int combiner(MPI_Datatype type) {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int value = MPI_UNDEFINED;
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &value);
    return value;
}

MPI_Datatype blocks(int count, int length, int stride, MPI_Datatype element) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(count, length, stride, element, &type);
    return committed(type);
}

/// Types of views are freed and others made at once, which likes to hand out the same handles.
void freed_types() {
    MPI_File file = new_file("freed");
    for (int round = 1; round <= 50; ++round) {
        MPI_Datatype etype = blocks(1, round % 3 + 1, 1, MPI_SHORT);
        MPI_Datatype filetype = blocks(3, 1, round, etype);
        MPI_Aint lower = 0;
        MPI_Aint extent = 0;
        MPI_Type_get_extent(etype, &lower, &extent);
        set_view(file, 2 * round, etype, filetype);
        MPI_Type_free(&etype);
        MPI_Type_free(&filetype);
        MPI_Datatype other = blocks(7, 2, 5, MPI_INT);
        MPI_Offset offset = -1;
        MPI_File_get_byte_offset(file, 2, &offset);
        expect::equal("offset of etype 2, round " + std::to_string(round), offset,
                      2 * round + 2 * round * extent);
        MPI_Type_free(&other);
    }
    MPI_File_close(&file);
}

void returned_views() {
    MPI_File file = new_file("returned");
    MPI_Datatype etype = blocks(1, 2, 2, MPI_SHORT);
    MPI_Datatype filetype = blocks(3, 1, 4, etype);
    set_view(file, 10, etype, filetype);
    MPI_Type_free(&etype);
    MPI_Type_free(&filetype);
    MPI_Datatype decoy = blocks(2, 1, 9, MPI_BYTE);

    std::array<char, MPI_MAX_DATAREP_STRING> representation{};
    MPI_Offset displacement = -1;
    expect::code("get_view",
                 MPI_File_get_view(file, &displacement, &etype, &filetype, representation.data()));
    expect::equal("displacement", displacement, 10);
    expect::that(std::string(representation.data()) == "native", "representation is native");
    int size = -1;
    MPI_Type_size(filetype, &size);
    expect::equal("size of the filetype", size, 12);
    expect::that(combiner(filetype) != MPI_COMBINER_NAMED, "the filetype decodes");
    MPI_Aint lower = -1;
    MPI_Aint extent = -1;
    MPI_Type_get_extent(filetype, &lower, &extent);
    expect::equal("extent of the filetype", extent, 36);

    // Committed: a message of it arrives packed. And fit for another view.
    Bytes memory(36);
    for (std::size_t i = 0; i < 36; ++i) memory[i] = static_cast<unsigned char>(i);
    Bytes packed(12);
    MPI_Sendrecv(memory.data(), 1, filetype, 0, 0, packed.data(), 12, MPI_BYTE, 0, 0, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    expect::bytes("packed", packed, {0, 1, 2, 3, 16, 17, 18, 19, 32, 33, 34, 35});
    set_view(file, 100, etype, filetype);
    MPI_Type_free(&etype);
    MPI_Type_free(&filetype);
    MPI_Offset offset = -1;
    MPI_File_get_byte_offset(file, 4, &offset);
    expect::equal("offset of etype 4", offset, 100 + 36 + 16);
    MPI_Type_free(&decoy);

    set_view(file, 0, MPI_INT, MPI_INT);
    MPI_File_get_view(file, &displacement, &etype, &filetype, representation.data());
    expect::that(etype == MPI_INT && filetype == MPI_INT, "predefined types come back themselves");
    MPI_File_close(&file);
}

void type_extents() {
    using ExtentC = int(MPI_File, MPI_Datatype, MPI_Count*);
    MPI_File file = new_file("extents");
    MPI_Datatype type = blocks(3, 1, 4, MPI_DOUBLE);
    MPI_Aint extent = -1;
    expect::code("get_type_extent", MPI_File_get_type_extent(file, type, &extent));
    expect::equal("extent", extent, 72);
    auto* extent_c =
        reinterpret_cast<ExtentC*>(::dlsym(RTLD_DEFAULT, "MPI_File_get_type_extent_c"));
    expect::that(extent_c != nullptr, "MPI_File_get_type_extent_c exists");
    MPI_Count large = -1;
    if (extent_c != nullptr) expect::code("get_type_extent_c", extent_c(file, type, &large));
    expect::equal("extent", large, 72);
    MPI_Type_free(&type);
    MPI_File_close(&file);
}

/// Writes and reads through a view that gives rank r the elements of [0, elements) that
/// `owner(element)` says are r's, in storage order.
void against_oracle(const std::string& what, MPI_Datatype filetype, int elements,
                    const std::function<int(int)>& owner) {
    std::vector<int> mine;
    std::vector<int> all;
    for (int i = 0; i < elements; ++i) {
        all.push_back(owner(i) < 0 ? 0 : 1000 * owner(i) + i);
        if (owner(i) == expect::rank()) mine.push_back(all.back());
    }
    MPI_File_delete((g_folder + "/array").c_str(), MPI_INFO_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File file = new_file("array");
    MPI_File_set_size(file, elements * MPI_Offset{4});
    set_view(file, 0, MPI_INT, filetype);
    const auto count = static_cast<int>(mine.size());
    expect::code(what, MPI_File_write_all(file, mine.data(), count, MPI_INT, MPI_STATUS_IGNORE));
    std::vector<int> found(mine.size());
    expect::code(what,
                 MPI_File_read_at_all(file, 0, found.data(), count, MPI_INT, MPI_STATUS_IGNORE));
    expect::bytes(what + ", read back", found.data(), mine.data(), 4 * mine.size());
    MPI_File_close(&file);
    MPI_Type_free(&filetype);
    expect::on_rank_0([&] {
        const Bytes content = expect::contents(g_folder + "/array");
        expect::equal(what + ": file size", content.size(), 4 * all.size());
        if (content.size() == 4 * all.size())
            expect::bytes(what + ", file", content.data(), all.data(), content.size());
    });
}

/// The process of a grid dimension that owns index `i`.
int owner_in(int i, int size, int distribution, int argument, int processes) {
    if (distribution == MPI_DISTRIBUTE_NONE) return 0;
    const bool block = distribution == MPI_DISTRIBUTE_BLOCK;
    const int fallback = block ? (size + processes - 1) / processes : 1;
    const int length = argument == MPI_DISTRIBUTE_DFLT_DARG ? fallback : argument;
    return block ? i / length : i / length % processes;
}

struct Distribution {
    std::array<int, 2> kinds;
    std::array<int, 2> arguments;
    std::array<int, 2> processes;
};

void distributed(const Distribution& by, int order) {
    const std::array<int, 2> sizes{11, 7};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_darray(4, expect::rank(), 2, sizes.data(), by.kinds.data(), by.arguments.data(),
                           by.processes.data(), order, MPI_INT, &type);
    const auto owner = [&](int element) {
        const bool c = order == MPI_ORDER_C;
        const std::array<int, 2> index{c ? element / sizes[1] : element % sizes[0],
                                       c ? element % sizes[1] : element / sizes[0]};
        std::array<int, 2> place{};
        for (std::size_t d = 0; d < 2; ++d)
            place[d] = owner_in(index[d], sizes[d], by.kinds[d], by.arguments[d], by.processes[d]);
        return place[0] * by.processes[1] + place[1];  // Grids of processes are in C order.
    };
    against_oracle(std::string("darray, ") + (order == MPI_ORDER_C ? "C" : "Fortran") + " order",
                   committed(type), 77, owner);
}

void darrays() {
    constexpr int kDefault = MPI_DISTRIBUTE_DFLT_DARG;
    const std::array all{
        Distribution{{MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, {kDefault, 2}, {2, 2}},
        Distribution{{MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK}, {3, 4}, {2, 2}},
        Distribution{{MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC}, {kDefault, kDefault}, {1, 4}},
        Distribution{{MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE}, {kDefault, kDefault}, {4, 1}},
    };
    for (const Distribution& by : all) {
        for (const int order : {MPI_ORDER_C, MPI_ORDER_FORTRAN}) distributed(by, order);
    }
}

/// Rows of 2 of a Fortran array of 6 x 4 elements, less its last column.
void fortran_subarray() {
    const int first = expect::rank() % 3 * 2;
    const bool takes_part = expect::rank() < 3;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (takes_part) {
        type = subarray({6, 4}, {2, 3}, {first, 0}, MPI_ORDER_FORTRAN, MPI_INT);
    } else {
        MPI_Type_contiguous(1, MPI_INT, &type);
        type = committed(type);
    }
    against_oracle("subarray, Fortran order", type, 24,
                   [](int element) { return element / 6 < 3 ? element % 6 / 2 : -1; });
}

/// Writes one `type` at `place` and expects these values in the file; reads them back likewise.
void memory_type(const std::string& what, MPI_Datatype type, int* place,
                 const std::vector<int>& expected) {
    const std::string path = g_folder + "/memory" + std::to_string(expect::rank());
    MPI_File file = expect::open(path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                                 MPI_INFO_NULL, MPI_COMM_SELF);
    MPI_Status status;
    expect::code(what, MPI_File_write_at(file, 0, place, 1, type, &status));
    expect::moved(what, status, 4 * static_cast<long long>(expected.size()));
    const Bytes content = expect::contents(path);
    expect::equal(what + ": file size", content.size(), 4 * expected.size());
    if (content.size() == 4 * expected.size())
        expect::bytes(what, content.data(), expected.data(), content.size());
    std::vector<int> doubled = expected;
    for (int& value : doubled) value *= 2;
    MPI_File_write_at(file, 0, doubled.data(), static_cast<int>(doubled.size()), MPI_INT,
                      MPI_STATUS_IGNORE);
    expect::code(what, MPI_File_read_at(file, 0, place, 1, type, &status));
    MPI_File_close(&file);
    MPI_Type_free(&type);
}

std::vector<int> counted() {
    return {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
}

void equal_memory(const std::string& what, const std::vector<int>& found,
                  const std::vector<int>& expected) {
    expect::bytes(what + ", memory", found.data(), expected.data(), 4 * expected.size());
}

void memory_types() {
    std::vector<int> memory = counted();
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_hvector(4, 1, -8, MPI_INT, &type);
    memory_type("negative stride", committed(type), &memory[8], {8, 6, 4, 2});
    equal_memory("negative stride", memory, {0, 1, 4, 3, 8, 5, 12, 7, 16, 9});

    memory = counted();
    const std::array<int, 2> lengths{1, 2};
    const std::array<MPI_Aint, 2> places{-12, 4};
    MPI_Type_create_hindexed(2, lengths.data(), places.data(), MPI_INT, &type);
    memory_type("negative lower bound", committed(type), &memory[3], {0, 4, 5});
    equal_memory("negative lower bound", memory, {0, 1, 2, 3, 8, 10, 6, 7, 8, 9});

    memory = counted();
    MPI_Datatype resized = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(MPI_INT, -4, -8, &resized);
    MPI_Type_contiguous(3, resized, &type);
    MPI_Type_free(&resized);
    memory_type("negative extent", committed(type), &memory[6], {6, 4, 2});
    equal_memory("negative extent", memory, {0, 1, 4, 3, 8, 5, 12, 7, 8, 9});

    memory = counted();
    std::vector<int> other{70, 71};
    std::array<MPI_Aint, 2> addresses{};
    MPI_Get_address(&memory[5], &addresses[0]);
    MPI_Get_address(&other[0], &addresses[1]);
    MPI_Type_create_hindexed(2, lengths.data(), addresses.data(), MPI_INT, &type);
    memory_type("absolute addresses", committed(type), static_cast<int*>(MPI_BOTTOM), {5, 70, 71});
    equal_memory("absolute addresses", memory, {0, 1, 2, 3, 4, 10, 6, 7, 8, 9});
    equal_memory("absolute addresses", other, {140, 142});
}

}  // namespace

int main(int argc, char** argv) {
    g_folder = expect::begin(argc, argv);
    expect::test("10^12 pieces", trillion_pieces);
    expect::test("10^7 blocks, vector", [] { many_blocks("vector", every_second); });
    expect::test("10^7 blocks, subarray", [] { many_blocks("subarray", column_of_two); });
    expect::test("freed types", freed_types);
    expect::test("returned views", returned_views);
    expect::test("type extents", type_extents);
    expect::test("darrays", darrays);
    expect::test("Fortran subarray", fortran_subarray);
    expect::test("memory types", memory_types);
    return expect::finish();
}
