// SPDX-License-Identifier: BSD-3-Clause

// Calls every function that functions.def lists as unsupported, under both names, and expects
// MPI_ERR_UNSUPPORTED_OPERATION with a text that names the function: from an open file through its
// error handler. Usage: not_built_yet FILE. Closing line: N passed, N failed, N skipped.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum row_kind { row_other, row_file };
enum row_state { row_done, row_unsupported };

static const struct row {
    const char* name;
    enum row_kind kind;
    enum row_state state;
} kRows[] = {
#define SHEAF_FUNCTION(name, kind, state, text) \
    {#name, row_##kind, row_##state}, {"P" #name, row_##kind, row_##state},
#define SHEAF_LARGE_COUNT(name, position, state, text) \
    {#name "_c", row_file, row_##state}, {"P" #name "_c", row_file, row_##state},
#define SHEAF_FORTRAN_OMPI(name)
#include "../../src/abi/functions.def"
};

// Arguments travel in registers, whatever the signature; none of these functions looks at them.
typedef int (*any_function)(void*, long, long, long, long, long);

static int refuses(const struct row* row, MPI_File file) {
    any_function function;
    *(void**)&function = dlsym(RTLD_DEFAULT, row->name);
    if (!function) {
        printf("%s: no such symbol\n", row->name);
        return 0;
    }
    void* first = NULL;
    if (row->kind == row_file) memcpy(&first, &file, sizeof first);
    const int code = function(first, 0, 0, 0, 0, 0);

    int class = MPI_SUCCESS;
    int length = 0;
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    MPI_Error_class(code, &class);
    MPI_Error_string(code, text, &length);
    const char* plain_name = row->name + (row->name[0] == 'P');
    if (class == MPI_ERR_UNSUPPORTED_OPERATION && strstr(text, plain_name)) return 1;
    printf("%s: class %d, expected %d; text \"%s\"\n", row->name, class,
           MPI_ERR_UNSUPPORTED_OPERATION, text);
    return 0;
}

int main(int argc, char** argv) {
    int passed = 0;
    int failed = 0;
    MPI_File file;
    MPI_Init(&argc, &argv);
    if (argc != 2 || MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR,
                                   MPI_INFO_NULL, &file) != MPI_SUCCESS) {
        fprintf(stderr, "usage: not_built_yet FILE\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (size_t i = 0; i < sizeof kRows / sizeof kRows[0]; ++i) {
        if (kRows[i].state != row_unsupported) continue;
        if (refuses(&kRows[i], file)) {
            ++passed;
        } else {
            ++failed;
        }
    }
    MPI_File_close(&file);
    MPI_Finalize();
    printf("%d passed, %d failed, 0 skipped\n", passed, failed);
    return failed != 0;
}
