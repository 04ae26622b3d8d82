// SPDX-License-Identifier: BSD-3-Clause

/// Storage that fails on one rank (SHEAF_FAULT, read at each open): every rank returns from the
/// collective call with the right class, texts name rank and bytes, and the file goes on working.
/// Started with a SHEAF_FAULT that fails the first write of rank 2 with ENOSPC.
/// Usage: faults FOLDER, 4 ranks

#include <cstdlib>

#include "expect.h"

namespace {

using expect::Bytes;

constexpr int kBlockBytes = 1 << 20;
std::string g_path;

/// An injected failure and what becomes of it.
struct Case {
    const char* fault;
    int rank;
    const char* system_error;
    int error_class;
};

void inject(const char* fault) {
    if (fault == nullptr) {
        ::unsetenv("SHEAF_FAULT");
    } else {
        ::setenv("SHEAF_FAULT", fault, 1);
    }
}

unsigned char tag(int rank) {
    return static_cast<unsigned char>('A' + rank);
}

Bytes block_of(int rank) {
    return Bytes(kBlockBytes, tag(rank));
}

void check_file() {
    expect::on_rank_0([] {
        Bytes expected;
        for (int rank = 0; rank < expect::ranks(); ++rank) {
            const Bytes block = block_of(rank);
            expected.insert(expected.end(), block.begin(), block.end());
        }
        expect::bytes("file", expect::contents(g_path), expected);
    });
}

/// Every rank aggregates, so that transfers of every rank can fail.
MPI_File open_all(const char* algorithm) {
    MPI_Info info = expect::hint("sheaf_fcoll", algorithm);
    MPI_Info_set(info, "cb_nodes", "4");
    MPI_Info_set(info, "striping_unit", "1048576");
    MPI_File file = expect::open(g_path, MPI_MODE_CREATE | MPI_MODE_RDWR, info);
    MPI_Info_free(&info);
    return file;
}

/// On all ranks; all but the failing one learn which it was.
void failed(const std::string& what, int code, const Case& one) {
    expect::code(what, code, one.error_class);
    const std::string text = expect::text_of(code);
    expect::contains(what, text, one.system_error);
    expect::contains(what, text, g_path.substr(g_path.rfind('/')));
    if (expect::rank() != one.rank)
        expect::contains(what, text, "rank " + std::to_string(one.rank));
}

void failed_transfer(const std::string& what, int code, const Case& one) {
    failed(what, code, one);
    const std::string begin = "[" + std::to_string(one.rank * kBlockBytes) + ", ";
    expect::contains(what, expect::text_of(code), begin);
}

void expect_block(const Bytes& block) {
    expect::bytes("block read", block, block_of(expect::rank()));
}

int write_all(MPI_File file) {
    const Bytes block = block_of(expect::rank());
    const MPI_Offset offset = MPI_Offset{expect::rank()} * kBlockBytes;
    return MPI_File_write_at_all(file, offset, block.data(), kBlockBytes, MPI_BYTE,
                                 MPI_STATUS_IGNORE);
}

int read_all(MPI_File file, Bytes& block) {
    const MPI_Offset offset = MPI_Offset{expect::rank()} * kBlockBytes;
    return MPI_File_read_at_all(file, offset, block.data(), kBlockBytes, MPI_BYTE,
                                MPI_STATUS_IGNORE);
}

void write_fails(const char* algorithm, const Case& one) {
    MPI_File file = open_all(algorithm);
    failed_transfer("write_at_all", write_all(file), one);
    expect::code("write_at_all once more", write_all(file));
    expect::code("close", MPI_File_close(&file));
    check_file();
}

void read_fails(const char* algorithm, const Case& one) {
    inject(nullptr);
    MPI_File file = open_all(algorithm);
    expect::code("write_at_all", write_all(file));
    expect::code("close", MPI_File_close(&file));
    inject(one.fault);
    file = open_all(algorithm);
    Bytes block(kBlockBytes);
    failed_transfer("read_at_all", read_all(file, block), one);
    expect::code("read_at_all once more", read_all(file, block));
    expect_block(block);
    expect::code("close", MPI_File_close(&file));
}

/// Independent calls concern the failing rank alone.
void independent_fails(const Case& one) {
    inject(one.fault);
    MPI_File file = open_all("individual");
    const Bytes block = block_of(expect::rank());
    const bool mine = expect::rank() == one.rank;
    const MPI_Offset offset = MPI_Offset{expect::rank()} * kBlockBytes;
    const int code =
        MPI_File_write_at(file, offset, block.data(), kBlockBytes, MPI_BYTE, MPI_STATUS_IGNORE);
    expect::code("write_at", code, mine ? one.error_class : MPI_SUCCESS);
    if (mine) failed_transfer("write_at", code, one);
    expect::code("write_at once more", MPI_File_write_at(file, offset, block.data(), kBlockBytes,
                                                         MPI_BYTE, MPI_STATUS_IGNORE));
    expect::code("close", MPI_File_close(&file));
    check_file();
}

/// A collective call on the file as a whole fails once, then works.
template <class Call>
void call_fails(const Case& one, Call&& call) {
    inject(one.fault);
    MPI_File file = open_all("individual");
    failed(one.fault, call(file), one);
    expect::code("once more", call(file));
    expect::code("write_at_all", write_all(file));
    expect::code("set_size", MPI_File_set_size(file, MPI_Offset{kBlockBytes} * expect::ranks()));
    expect::code("close", MPI_File_close(&file));
    check_file();
}

void close_fails() {
    const Case one{"close:EIO@rank=3", 3, "EIO", MPI_ERR_IO};
    inject(one.fault);
    MPI_File file = open_all("individual");
    expect::code("write_at_all", write_all(file));
    failed("close", MPI_File_close(&file), one);
    expect::that(file == MPI_FILE_NULL, "the handle is MPI_FILE_NULL after a failed close");
    check_file();
}

void size_fails() {
    const Case one{"size:EIO@rank=1", 1, "EIO", MPI_ERR_IO};
    inject(one.fault);
    MPI_File file = open_all("individual");
    MPI_Offset size = -1;
    const int code = MPI_File_get_size(file, &size);
    expect::code("get_size", code, expect::rank() == 1 ? MPI_ERR_IO : MPI_SUCCESS);
    if (expect::rank() == 1) expect::contains("get_size", expect::text_of(code), "EIO");
    expect::code("get_size once more", MPI_File_get_size(file, &size));
    expect::code("close", MPI_File_close(&file));
    // An open for appending needs the size: it fails on all ranks.
    failed("open",
           MPI_File_open(MPI_COMM_WORLD, g_path.c_str(), MPI_MODE_RDWR | MPI_MODE_APPEND,
                         MPI_INFO_NULL, &file),
           one);
    expect::that(file == MPI_FILE_NULL, "the handle is MPI_FILE_NULL after a failed open");
}

/// The write fails on two ranks: the lower one is named, each keeps its own class.
void two_ranks_fail() {
    inject("write:ENOSPC@rank=1;write:EDQUOT@rank=3");
    MPI_File file = open_all("individual");
    const int code = write_all(file);
    const bool third = expect::rank() == 3;
    expect::code("write_at_all", code, third ? MPI_ERR_QUOTA : MPI_ERR_NO_SPACE);
    const std::string text = expect::text_of(code);
    if (expect::rank() % 2 == 0) {
        expect::contains("write_at_all", text, "rank 1");
        expect::contains("write_at_all", text, "1 other rank failed too");
    }
    expect::code("write_at_all once more", write_all(file));
    expect::code("close", MPI_File_close(&file));
    check_file();
}

/// Deep in a transfer of many rounds.
void late_failure(const char* algorithm) {
    inject("write:EIO@rank=1,nth=3");
    MPI_Info info = expect::hint("sheaf_fcoll", algorithm);
    MPI_Info_set(info, "cb_nodes", "4");
    MPI_Info_set(info, "cb_buffer_size", "65536");
    MPI_File file = expect::open(g_path, MPI_MODE_CREATE | MPI_MODE_RDWR, info);
    MPI_Info_free(&info);
    int failures = 0;
    for (int i = 0; i < 3 && failures == 0; ++i) {
        const int code = write_all(file);
        if (code == MPI_SUCCESS) continue;
        ++failures;
        expect::code("write_at_all", code, MPI_ERR_IO);
    }
    expect::equal("failed calls", failures, 1);
    expect::code("write_at_all once more", write_all(file));
    expect::code("close", MPI_File_close(&file));
    check_file();
}

void on_each_algorithm() {
    for (const char* algorithm : expect::kAlgorithms) {
        const std::string suffix = std::string(", ") + algorithm;
        const Case no_space{"write:ENOSPC@rank=2,nth=1", 2, "ENOSPC", MPI_ERR_NO_SPACE};
        const Case no_quota{"write:EDQUOT@rank=0", 0, "EDQUOT", MPI_ERR_QUOTA};
        const Case unreadable{"read:EIO@rank=0", 0, "EIO", MPI_ERR_IO};
        const Case last_unreadable{"read:EIO@rank=3", 3, "EIO", MPI_ERR_IO};
        for (const Case& one : {no_space, no_quota}) {
            expect::test(one.fault + suffix, [&] {
                inject(one.fault);
                write_fails(algorithm, one);
            });
        }
        for (const Case& one : {unreadable, last_unreadable})
            expect::test(one.fault + suffix, [&] { read_fails(algorithm, one); });
        expect::test("late failure" + suffix, [&] { late_failure(algorithm); });
    }
}

void on_whole_files() {
    const Case sync{"sync:EIO@rank=1", 1, "EIO", MPI_ERR_IO};
    const Case resize{"resize:EDQUOT", 0, "EDQUOT", MPI_ERR_QUOTA};
    const Case allocate{"preallocate:ENOSPC@rank=0", 0, "ENOSPC", MPI_ERR_NO_SPACE};
    expect::test(sync.fault, [&] { call_fails(sync, MPI_File_sync); });
    expect::test(resize.fault, [&] {
        call_fails(resize, [](MPI_File file) { return MPI_File_set_size(file, 4096); });
    });
    expect::test(allocate.fault, [&] {
        call_fails(allocate, [](MPI_File file) { return MPI_File_preallocate(file, 4096); });
    });
}

}  // namespace

int main(int argc, char** argv) {
    g_path = expect::begin(argc, argv) + "/faults";
    expect::test("from the environment, individual", [] {
        write_fails("individual", {nullptr, 2, "ENOSPC", MPI_ERR_NO_SPACE});
    });
    on_each_algorithm();
    expect::test("write_at", [] {
        independent_fails({"write:ENOSPC@rank=2", 2, "ENOSPC", MPI_ERR_NO_SPACE});
    });
    on_whole_files();
    expect::test("size", size_fails);
    expect::test("close", close_fails);
    expect::test("two ranks", two_ranks_fail);
    return expect::finish();
}
