// SPDX-License-Identifier: BSD-3-Clause

/// Reads at and across the end of the file, and the calls that move it. What a read does not
/// deliver stays as it was in memory; statuses count what was delivered, on every rank
/// (MPI 4.1, 14.4.1). Usage: eof FOLDER, 4 ranks

#include "expect.h"

namespace {

using expect::Bytes;

constexpr unsigned char kUntouched = 0xEE;

unsigned char tag(long long offset) {
    return static_cast<unsigned char>(1 + offset * 7 % 251);
}

Bytes tags(long long count) {
    Bytes data;
    for (long long i = 0; i < count; ++i) data.push_back(tag(i));
    return data;
}

std::string g_path;

void fill_file(long long size) {
    expect::on_rank_0([&] { expect::put_contents(g_path, tags(size)); });
}

/// How a read is called: collective or not, by offset or pointer.
struct Way {
    bool collective;
    bool by_offset;
    [[nodiscard]] std::string name() const {
        return std::string(by_offset ? "read_at" : "read") + (collective ? "_all" : "");
    }
};

constexpr std::array kWays{Way{false, true}, Way{false, false}, Way{true, true}, Way{true, false}};

int read(const Way& way, MPI_File file, MPI_Offset offset, Bytes& buffer, MPI_Status& status) {
    const auto count = static_cast<int>(buffer.size());
    if (!way.by_offset) MPI_File_seek(file, offset, MPI_SEEK_SET);
    if (way.by_offset && way.collective)
        return MPI_File_read_at_all(file, offset, buffer.data(), count, MPI_BYTE, &status);
    if (way.by_offset)
        return MPI_File_read_at(file, offset, buffer.data(), count, MPI_BYTE, &status);
    if (way.collective) return MPI_File_read_all(file, buffer.data(), count, MPI_BYTE, &status);
    return MPI_File_read(file, buffer.data(), count, MPI_BYTE, &status);
}

/// Reads `count` bytes of the view at `offset`; `places` are the file offsets that must arrive.
void check_read(const Way& way, MPI_File file, MPI_Offset offset, int count,
                const std::vector<long long>& places) {
    const std::string what =
        way.name() + " of " + std::to_string(count) + " at " + std::to_string(offset);
    Bytes buffer(static_cast<std::size_t>(count), kUntouched);
    Bytes expected = buffer;
    for (std::size_t i = 0; i < places.size(); ++i) expected[i] = tag(places[i]);
    MPI_Status status;
    expect::code(what, read(way, file, offset, buffer, status));
    expect::moved(what, status, static_cast<long long>(places.size()));
    expect::bytes(what, buffer, expected);
    if (way.by_offset) return;
    // The pointer moves by what was asked for, delivered or not (MPI 4.1, 14.4.1).
    MPI_Offset position = -1;
    MPI_File_get_position(file, &position);
    expect::equal(what + ": pointer afterwards", position, offset + count);
}

std::vector<long long> range(long long begin, long long end) {
    std::vector<long long> places;
    for (long long i = begin; i < end; ++i) places.push_back(i);
    return places;
}

/// Rank r reads 100 bytes at 100 r of 250 and of 200: all, half or nothing arrives; then nothing
/// but what is behind the end, on all ranks.
void across_the_end(const Way& way, const char* algorithm) {
    for (const long long size : {250, 200, 0}) {
        fill_file(size);
        MPI_File file = expect::open_with(g_path, MPI_MODE_RDONLY, algorithm);
        const long long begin = expect::rank() * 100;
        check_read(way, file, begin, 100, range(begin, std::min(size, begin + 100)));
        check_read(way, file, size + expect::rank() * 10, 10, {});
        check_read(way, file, size + 100'000'000'000, expect::rank() % 2 == 0 ? 10 : 0, {});
        check_read(way, file, 0, 0, {});
        MPI_File_close(&file);
    }
}

/// Rank r sees bytes 3 r and 3 r + 1 of every 12: holes and other ranks' bytes between.
void through_holes(const Way& way, const char* algorithm) {
    MPI_Datatype piece = MPI_DATATYPE_NULL;
    MPI_Datatype filetype = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_BYTE, &piece);
    MPI_Type_create_resized(piece, 0, 12, &filetype);
    MPI_Type_commit(&filetype);
    MPI_Type_free(&piece);
    for (const long long size : {25, 27, 28, 29, 36}) {
        fill_file(size);
        MPI_File file = expect::open_with(g_path, MPI_MODE_RDONLY, algorithm);
        expect::code("set_view", MPI_File_set_view(file, expect::rank() * 3, MPI_BYTE, filetype,
                                                   "native", MPI_INFO_NULL));
        std::vector<long long> places;
        for (long long i = 1; i < 20; ++i) {
            const long long place = expect::rank() * 3 + i / 2 * 12 + i % 2;
            if (place < size) places.push_back(place);
        }
        check_read(way, file, 1, 19, places);
        MPI_File_close(&file);
    }
    MPI_Type_free(&filetype);
}

/// Memory with holes: what is between the pieces stays too.
void into_strided_memory() {
    fill_file(10);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(8, 2, 4, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    for (const char* algorithm : expect::kAlgorithms) {
        MPI_File file = expect::open_with(g_path, MPI_MODE_RDONLY, algorithm);
        Bytes buffer(32, kUntouched);
        Bytes expected = buffer;
        for (std::size_t i = 0; i < 7; ++i)
            expected[i / 2 * 4 + i % 2] = tag(static_cast<long long>(i) + 3);
        MPI_Status status;
        expect::code("read_at_all", MPI_File_read_at_all(file, 3, buffer.data(), 1, type, &status));
        expect::moved("read_at_all", status, 7);
        int count = -1;
        MPI_Get_count(&status, type, &count);
        expect::equal("MPI_Get_count of a part of a type", count, MPI_UNDEFINED);
        MPI_Get_elements(&status, type, &count);
        expect::equal("MPI_Get_elements", count, 7);
        expect::bytes("memory", buffer, expected);
        MPI_File_close(&file);
    }
    MPI_Type_free(&type);
}

/// SEEK_END counts in etypes of the view, and an end inside of an etype or hole rounds up.
void seek_from_the_end() {
    fill_file(100);
    MPI_File file = expect::open(g_path, MPI_MODE_RDWR);
    MPI_Offset position = -1;
    MPI_File_seek(file, -10, MPI_SEEK_END);
    MPI_File_get_position(file, &position);
    expect::equal("bytes from the end", position, 90);

    MPI_Datatype filetype = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 2, MPI_INT, &filetype);  // Data at [0, 4) and [8, 12), extent 12.
    MPI_Type_commit(&filetype);
    MPI_File_set_view(file, 4, MPI_INT, filetype, "native", MPI_INFO_NULL);
    expect::code("seek", MPI_File_seek(file, 0, MPI_SEEK_END));
    MPI_File_get_position(file, &position);
    // [4, 100) is exactly 8 tiles of 12 bytes with 2 etypes each.
    expect::equal("etypes to the end", position, 16);
    expect::code("seek", MPI_File_seek(file, -3, MPI_SEEK_END));
    expect::code("seek", MPI_File_seek(file, 1, MPI_SEEK_CUR));
    MPI_File_get_position(file, &position);
    expect::equal("etypes", position, 14);
    int value = 0;
    MPI_Status status;
    expect::code("read", MPI_File_read(file, &value, 1, MPI_INT, &status));
    expect::moved("read", status, 4);
    const Bytes expected{tag(88), tag(89), tag(90), tag(91)};
    expect::bytes("etype 14", &value, expected.data(), 4, 88);
    MPI_File_close(&file);
    MPI_Type_free(&filetype);
}

void append_mode() {
    fill_file(40);
    MPI_File file = expect::open(g_path, MPI_MODE_WRONLY | MPI_MODE_APPEND);
    MPI_Offset position = -1;
    MPI_File_get_position(file, &position);
    expect::equal("position of append mode", position, 40);
    // All pointers start at the end; one rank writes.
    if (expect::rank() == 1) {
        const Bytes more{tag(40), tag(41)};
        expect::code("write", MPI_File_write(file, more.data(), 2, MPI_BYTE, MPI_STATUS_IGNORE));
    }
    MPI_File_close(&file);
    expect::on_rank_0([] { expect::bytes("file", expect::contents(g_path), tags(42)); });
}

MPI_Offset size_of(MPI_File file) {
    MPI_Offset size = -1;
    expect::code("get_size", MPI_File_get_size(file, &size));
    return size;
}

/// Contents stay, the size never goes down, new bytes are whatever they like to be.
void preallocate() {
    fill_file(1000);
    MPI_File file = expect::open(g_path, MPI_MODE_RDWR);
    expect::code("preallocate to less", MPI_File_preallocate(file, 10));
    expect::equal("size", size_of(file), 1000);
    expect::code("preallocate to more", MPI_File_preallocate(file, 100'000));
    expect::equal("size", size_of(file), 100'000);
    MPI_File_close(&file);
    expect::on_rank_0([] {
        Bytes found = expect::contents(g_path);
        found.resize(1000);
        expect::bytes("first 1000 bytes", found, tags(1000));
    });
}

void set_size() {
    fill_file(300);
    MPI_File file = expect::open(g_path, MPI_MODE_RDWR);
    MPI_File_seek(file, 250, MPI_SEEK_SET);
    expect::code("set_size", MPI_File_set_size(file, 200));
    expect::equal("size", size_of(file), 200);
    MPI_Offset position = -1;
    MPI_File_get_position(file, &position);
    expect::equal("pointer after shrinking", position, 250);
    expect::code("set_size", MPI_File_set_size(file, 400));
    expect::equal("size", size_of(file), 400);
    Bytes expected = tags(200);
    expected.resize(400, 0);
    Bytes buffer(500, kUntouched);
    expected.resize(500, kUntouched);
    MPI_Status status;
    MPI_File_read_at_all(file, 0, buffer.data(), 500, MPI_BYTE, &status);
    expect::moved("read_at_all", status, 400);
    expect::bytes("grown file", buffer, expected);
    expect::code("set_size", MPI_File_set_size(file, 0));
    expect::equal("size", size_of(file), 0);
    MPI_File_close(&file);
}

/// A write far behind the end leaves zeros between, which count as data of the file.
void hole_before_the_end() {
    fill_file(10);
    for (const char* algorithm : expect::kAlgorithms) {
        MPI_File file = expect::open_with(g_path, MPI_MODE_RDWR, algorithm);
        const unsigned char last = tag(4999);
        const int count = expect::rank() == 2 ? 1 : 0;
        expect::code("write_at_all",
                     MPI_File_write_at_all(file, 4999, &last, count, MPI_BYTE, MPI_STATUS_IGNORE));
        Bytes buffer(6000, kUntouched);
        Bytes expected = tags(10);
        expected.resize(4999, 0);
        expected.push_back(last);
        expected.resize(6000, kUntouched);
        MPI_File_sync(file);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_File_sync(file);
        MPI_Status status;
        MPI_File_read_at_all(file, 0, buffer.data(), 6000, MPI_BYTE, &status);
        expect::moved("read_at_all", status, 5000);
        expect::bytes("file with a hole", buffer, expected);
        MPI_File_close(&file);
    }
}

}  // namespace

int main(int argc, char** argv) {
    g_path = expect::begin(argc, argv) + "/eof";
    for (const char* algorithm : expect::kAlgorithms) {
        for (const Way& way : kWays) {
            const std::string suffix = ", " + way.name() + ", " + algorithm;
            expect::test("across the end" + suffix, [&] { across_the_end(way, algorithm); });
            expect::test("through holes" + suffix, [&] { through_holes(way, algorithm); });
        }
    }
    expect::test("into strided memory", into_strided_memory);
    expect::test("seek from the end", seek_from_the_end);
    expect::test("append mode", append_mode);
    expect::test("preallocate", preallocate);
    expect::test("set_size", set_size);
    expect::test("hole before the end", hole_before_the_end);
    return expect::finish();
}
