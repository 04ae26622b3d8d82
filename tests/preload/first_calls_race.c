// SPDX-License-Identifier: BSD-3-Clause

// Many threads make the first file calls of the process at once, each a different function.

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 8 };

static pthread_barrier_t start;

static void* make_calls(void* argument) {
    int* wrong = argument;
    pthread_barrier_wait(&start);
    const MPI_Fint null = MPI_File_c2f(MPI_FILE_NULL);
    *wrong = MPI_File_f2c(null) != MPI_FILE_NULL || PMPI_File_c2f(MPI_FILE_NULL) != null ||
             PMPI_File_f2c(null) != MPI_FILE_NULL;
    return NULL;
}

int main(int argc, char** argv) {
    pthread_t threads[kThreads];
    int wrong[kThreads] = {0};
    int any_wrong = 0;
    MPI_Init(&argc, &argv);
    pthread_barrier_init(&start, NULL, kThreads);
    for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, make_calls, &wrong[i]);
    for (int i = 0; i < kThreads; ++i) {
        pthread_join(threads[i], NULL);
        any_wrong |= wrong[i];
    }
    puts(any_wrong ? "race: wrong handle" : "race: OK");
    MPI_Finalize();
    return any_wrong;
}
