// SPDX-License-Identifier: BSD-3-Clause

// Many threads make the first file calls of the process at once.

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 8 };

static pthread_barrier_t start;

static void* make_calls(void* argument) {
    int* wrong = argument;
    pthread_barrier_wait(&start);
    MPI_Errhandler first = MPI_ERRORS_ARE_FATAL;
    MPI_Errhandler second = MPI_ERRORS_ARE_FATAL;
    MPI_File_get_errhandler(MPI_FILE_NULL, &first);
    PMPI_File_get_errhandler(MPI_FILE_NULL, &second);
    *wrong = first != MPI_ERRORS_RETURN || second != MPI_ERRORS_RETURN;
    return NULL;
}

int main(int argc, char** argv) {
    pthread_t threads[kThreads];
    int wrong[kThreads] = {0};
    int any_wrong = 0;
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    pthread_barrier_init(&start, NULL, kThreads);
    for (int i = 0; i < kThreads; ++i) pthread_create(&threads[i], NULL, make_calls, &wrong[i]);
    for (int i = 0; i < kThreads; ++i) {
        pthread_join(threads[i], NULL);
        any_wrong |= wrong[i];
    }
    puts(any_wrong ? "race: wrong error handler" : "race: OK");
    MPI_Finalize();
    return any_wrong;
}
