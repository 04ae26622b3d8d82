// SPDX-License-Identifier: BSD-3-Clause

// A backend for tests of the preload: contiguous blocking access by pread and pwrite, no views, no
// collective behaviour. It includes no mpi.h, so one object serves every MPI. Every other function
// of the table goes to the host. Says "stub: open" on standard error at each open.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void* host_function(const char* name) {
    static const char* const kLibraries[] = {"libmpi_abi.so.1", "libmpi.so.12", "libmpich.so.12",
                                             "libmpi.so.40"};
    for (int i = 0; i < 4; ++i) {
        void* host = dlopen(kLibraries[i], RTLD_NOLOAD | RTLD_LAZY);
        void* function = host ? dlsym(host, name) : NULL;
        if (function) return function;
    }
    fprintf(stderr, "stub: the host has no %s\n", name);
    abort();
}

typedef long (*any_function)(long, long, long, long, long, long);

static long call_host(const char* name, long a, long b, long c, long d, long e, long f) {
    any_function function;
    *(void**)&function = host_function(name);
    return function(a, b, c, d, e, f);
}

static size_t bytes_of(long count, long datatype) {
    int size = 0;
    call_host("PMPI_Type_size", datatype, (long)&size, 0, 0, 0, 0);
    return (size_t)count * (size_t)size;
}

static long stub_open(long comm, long path, long amode, long info, long file, long unused) {
    (void)comm, (void)amode, (void)info, (void)unused;
    int* handle = malloc(sizeof *handle);
    *handle = open((const char*)path, O_RDWR | O_CREAT, 0644);
    *(int**)file = handle;
    fprintf(stderr, "stub: open\n");
    return *handle < 0;
}

static long stub_close(long file, long b, long c, long d, long e, long f) {
    (void)b, (void)c, (void)d, (void)e, (void)f;
    int* handle = *(int**)file;
    close(*handle);
    free(handle);
    *(int**)file = NULL;
    return 0;
}

static long stub_succeed(long a, long b, long c, long d, long e, long f) {
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
    return 0;
}

static long stub_write_at(long file, long offset, long buffer, long count, long type, long status) {
    (void)status;
    const size_t bytes = bytes_of(count, type);
    return pwrite(*(int*)file, (const void*)buffer, bytes, offset) != (ssize_t)bytes;
}

static long stub_read_at(long file, long offset, long buffer, long count, long type, long status) {
    (void)status;
    const size_t bytes = bytes_of(count, type);
    return pread(*(int*)file, (void*)buffer, bytes, offset) != (ssize_t)bytes;
}

static const struct {
    const char* name;
    any_function function;
} kServed[] = {
    {"MPI_File_open", stub_open},
    {"MPI_File_close", stub_close},
    {"MPI_File_set_errhandler", stub_succeed},
    {"MPI_File_write_at", stub_write_at},
    {"MPI_File_write_at_c", stub_write_at},
    {"MPI_File_read_at", stub_read_at},
    {"MPI_File_read_at_c", stub_read_at},
};

static long dispatch(const char* name, long a, long b, long c, long d, long e, long f) {
    for (size_t i = 0; i < sizeof kServed / sizeof kServed[0]; ++i) {
        if (strcmp(kServed[i].name, name + (name[0] == 'P')) == 0) {
            return kServed[i].function(a, b, c, d, e, f);
        }
    }
    return call_host(name, a, b, c, d, e, f);
}

#define EXPORT(name)                                            \
    long name(long a, long b, long c, long d, long e, long f) { \
        return dispatch(#name, a, b, c, d, e, f);               \
    }
#define SHEAF_FUNCTION(name, kind, state, text) EXPORT(name) EXPORT(P##name)
#define SHEAF_LARGE_COUNT(name, position, state, text) EXPORT(name##_c) EXPORT(P##name##_c)
#define SHEAF_FORTRAN_OMPI(name)
#include "abi/functions.def"
