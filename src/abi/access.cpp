// SPDX-License-Identifier: BSD-3-Clause

/// Reading and writing: sixteen functions over one.

#include <mpi.h>

#include "abi/call.h"

namespace sheaf::abi {

namespace {

/// What the user wants moved.
struct Buffer {
    const void* address;
    std::int64_t count;
    MPI_Datatype type;
};

constexpr AccessCall individual(Direction direction, bool collective) {
    return {direction, Positioning::individual, collective, {}};
}

constexpr AccessCall at(Direction direction, bool collective, MPI_Offset offset) {
    return {direction, Positioning::explicit_offset, collective, {offset}};
}

int access(MPI_File file, const AccessCall& call, const Buffer& buffer, MPI_Status* status) {
    return on_file(file, [&](OpenHandle& open) -> Status {
        auto memory = memory_of(buffer.address, buffer.count, buffer.type);
        const Status precondition = memory.status();
        if (!memory.ok()) memory = Memory{};
        fbtl::Transferred moved = open.file->access(call, *memory, precondition);
        set_status(status, moved.bytes);
        return std::move(moved.status);
    });
}

}  // namespace

}  // namespace sheaf::abi

using namespace sheaf;
using namespace sheaf::abi;

extern "C" {

// Open MPI's header lacks the large-count functions.
int MPI_File_read_c(MPI_File, void*, MPI_Count, MPI_Datatype, MPI_Status*);
int MPI_File_read_all_c(MPI_File, void*, MPI_Count, MPI_Datatype, MPI_Status*);
int MPI_File_write_c(MPI_File, const void*, MPI_Count, MPI_Datatype, MPI_Status*);
int MPI_File_write_all_c(MPI_File, const void*, MPI_Count, MPI_Datatype, MPI_Status*);
int MPI_File_read_at_c(MPI_File, MPI_Offset, void*, MPI_Count, MPI_Datatype, MPI_Status*);
int MPI_File_read_at_all_c(MPI_File, MPI_Offset, void*, MPI_Count, MPI_Datatype, MPI_Status*);
int MPI_File_write_at_c(MPI_File, MPI_Offset, const void*, MPI_Count, MPI_Datatype, MPI_Status*);
int MPI_File_write_at_all_c(MPI_File, MPI_Offset, const void*, MPI_Count, MPI_Datatype,
                            MPI_Status*);

int MPI_File_read(MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Status* status) {
    return access(file, individual(Direction::read, false), {buffer, count, type}, status);
}
int MPI_File_read_c(MPI_File file, void* buffer, MPI_Count count, MPI_Datatype type,
                    MPI_Status* status) {
    return access(file, individual(Direction::read, false), {buffer, count, type}, status);
}
int MPI_File_read_all(MPI_File file, void* buffer, int count, MPI_Datatype type,
                      MPI_Status* status) {
    return access(file, individual(Direction::read, true), {buffer, count, type}, status);
}
int MPI_File_read_all_c(MPI_File file, void* buffer, MPI_Count count, MPI_Datatype type,
                        MPI_Status* status) {
    return access(file, individual(Direction::read, true), {buffer, count, type}, status);
}
int MPI_File_write(MPI_File file, const void* buffer, int count, MPI_Datatype type,
                   MPI_Status* status) {
    return access(file, individual(Direction::write, false), {buffer, count, type}, status);
}
int MPI_File_write_c(MPI_File file, const void* buffer, MPI_Count count, MPI_Datatype type,
                     MPI_Status* status) {
    return access(file, individual(Direction::write, false), {buffer, count, type}, status);
}
int MPI_File_write_all(MPI_File file, const void* buffer, int count, MPI_Datatype type,
                       MPI_Status* status) {
    return access(file, individual(Direction::write, true), {buffer, count, type}, status);
}
int MPI_File_write_all_c(MPI_File file, const void* buffer, MPI_Count count, MPI_Datatype type,
                         MPI_Status* status) {
    return access(file, individual(Direction::write, true), {buffer, count, type}, status);
}

int MPI_File_read_at(MPI_File file, MPI_Offset offset, void* buffer, int count, MPI_Datatype type,
                     MPI_Status* status) {
    return access(file, at(Direction::read, false, offset), {buffer, count, type}, status);
}
int MPI_File_read_at_c(MPI_File file, MPI_Offset offset, void* buffer, MPI_Count count,
                       MPI_Datatype type, MPI_Status* status) {
    return access(file, at(Direction::read, false, offset), {buffer, count, type}, status);
}
int MPI_File_read_at_all(MPI_File file, MPI_Offset offset, void* buffer, int count,
                         MPI_Datatype type, MPI_Status* status) {
    return access(file, at(Direction::read, true, offset), {buffer, count, type}, status);
}
int MPI_File_read_at_all_c(MPI_File file, MPI_Offset offset, void* buffer, MPI_Count count,
                           MPI_Datatype type, MPI_Status* status) {
    return access(file, at(Direction::read, true, offset), {buffer, count, type}, status);
}
int MPI_File_write_at(MPI_File file, MPI_Offset offset, const void* buffer, int count,
                      MPI_Datatype type, MPI_Status* status) {
    return access(file, at(Direction::write, false, offset), {buffer, count, type}, status);
}
int MPI_File_write_at_c(MPI_File file, MPI_Offset offset, const void* buffer, MPI_Count count,
                        MPI_Datatype type, MPI_Status* status) {
    return access(file, at(Direction::write, false, offset), {buffer, count, type}, status);
}
int MPI_File_write_at_all(MPI_File file, MPI_Offset offset, const void* buffer, int count,
                          MPI_Datatype type, MPI_Status* status) {
    return access(file, at(Direction::write, true, offset), {buffer, count, type}, status);
}
int MPI_File_write_at_all_c(MPI_File file, MPI_Offset offset, const void* buffer, MPI_Count count,
                            MPI_Datatype type, MPI_Status* status) {
    return access(file, at(Direction::write, true, offset), {buffer, count, type}, status);
}

}  // extern "C"
