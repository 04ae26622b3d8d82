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

// As in preload/absent.c: at most six integers or pointers, whatever the signature.
enum { kMost = 6 };
typedef long (*any_function)(long, long, long, long, long, long);

static long call_host(const char* name, const long a[kMost]) {
    any_function function;
    *(void**)&function = host_function(name);
    return function(a[0], a[1], a[2], a[3], a[4], a[5]);
}

static size_t bytes_of(long count, long datatype) {
    int size = 0;
    call_host("PMPI_Type_size", (const long[kMost]){datatype, (long)&size});
    return (size_t)count * (size_t)size;
}

/// (communicator, path, amode, info, &file)
static long stub_open(const long a[kMost]) {
    int* handle = malloc(sizeof *handle);
    *handle = open((const char*)a[1], O_RDWR | O_CREAT, 0644);
    *(int**)a[4] = handle;
    fprintf(stderr, "stub: open\n");
    return *handle < 0;
}

/// (&file)
static long stub_close(const long a[kMost]) {
    int* handle = *(int**)a[0];
    close(*handle);
    free(handle);
    *(int**)a[0] = NULL;
    return 0;
}

static long stub_succeed(const long a[kMost]) {
    (void)a;
    return 0;
}

/// (file, offset, buffer, count, datatype, &status)
static long stub_write_at(const long a[kMost]) {
    const size_t bytes = bytes_of(a[3], a[4]);
    return pwrite(*(int*)a[0], (const void*)a[2], bytes, a[1]) != (ssize_t)bytes;
}

static long stub_read_at(const long a[kMost]) {
    const size_t bytes = bytes_of(a[3], a[4]);
    return pread(*(int*)a[0], (void*)a[2], bytes, a[1]) != (ssize_t)bytes;
}

static const struct {
    const char* name;
    long (*function)(const long a[kMost]);
} kServed[] = {
    {"MPI_File_open", stub_open},
    {"MPI_File_close", stub_close},
    {"MPI_File_set_errhandler", stub_succeed},
    {"MPI_File_write_at", stub_write_at},
    {"MPI_File_write_at_c", stub_write_at},
    {"MPI_File_read_at", stub_read_at},
    {"MPI_File_read_at_c", stub_read_at},
};

static long dispatch(const char* name, const long a[kMost]) {
    for (size_t i = 0; i < sizeof kServed / sizeof kServed[0]; ++i) {
        if (strcmp(kServed[i].name, name + (name[0] == 'P')) == 0) return kServed[i].function(a);
    }
    return call_host(name, a);
}

#define EXPORT(name)                                            \
    long name(long a, long b, long c, long d, long e, long f) { \
        const long arguments[kMost] = {a, b, c, d, e, f};       \
        return dispatch(#name, arguments);                      \
    }
#define SHEAF_FUNCTION(name, kind, state, text) EXPORT(name) EXPORT(P##name)
#define SHEAF_LARGE_COUNT(name, position, state, text) EXPORT(name##_c) EXPORT(P##name##_c)
#define SHEAF_FORTRAN_OMPI(name)
#include "abi/functions.def"
