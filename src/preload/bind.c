// SPDX-License-Identifier: BSD-3-Clause

// The first MPI call of a process: find the host's MPI library and the backend made for it, and
// decide where every trampoline goes. All names go to Sheaf, or all go to the host: a handle made
// by one of them means nothing to the other.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/preload.h"

const char sheaf_names[sheaf_index_count][32] = {
#define SHEAF_FUNCTION(name, kind, state, text) #name, "P" #name,
#define SHEAF_LARGE_COUNT(name, position, state, text) #name "_c", "P" #name "_c",
#define SHEAF_FORTRAN_OMPI(name) #name,
#include "abi/functions.def"
#undef SHEAF_FUNCTION
#undef SHEAF_LARGE_COUNT
#undef SHEAF_FORTRAN_OMPI
};

void* sheaf_slots[sheaf_index_count];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  // Guards all below.
static struct sheaf_host host;
static void* host_handle;    // NULL until bound.
static bool serves_files;    // A backend was found.
static bool file_call_seen;  // The program itself made a file call.
static pid_t first_process;
static void* targets[sheaf_index_count];

static bool is_file_call(size_t index) {
    const char* name = sheaf_names[index];
    if (name[0] == 'P') ++name;
    return strncmp(name, "MPI_File_", 9) == 0;
}

/// Programs that run with raised privileges listen to no variable of ours.
static bool switched_off(void) {
    const char* value = secure_getenv("SHEAF_OFF");
    return value && value[0] != '\0' && strcmp(value, "0") != 0;
}

/// Loads libsheaf-<abi>.so from the folder of this library; NULL after saying why not.
static void* load_backend(const char* abi) {
    Dl_info self;
    char path[PATH_MAX];
    if (dladdr(sheaf_slots, &self) == 0 || !realpath(self.dli_fname, path)) {
        dprintf(STDERR_FILENO, "sheaf: cannot find my own folder; using the MPI library's I/O\n");
        return NULL;
    }
    char* file = strrchr(path, '/') + 1;
    const size_t room = sizeof path - (size_t)(file - path);
    if ((size_t)snprintf(file, room, "libsheaf-%s.so", abi) >= room) return NULL;
    void* backend = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!backend) {
        dprintf(STDERR_FILENO, "sheaf: no backend for %s (%s); using the MPI library's I/O\n",
                host.kind->soname, dlerror());
    }
    return backend;
}

/// Fills `targets` from the backend. False, after saying why, when it lacks a function that the
/// host has.
static bool target_backend(void* backend) {
    for (size_t i = 0; i < sheaf_index_count; ++i) {
        void* ours = dlsym(backend, sheaf_names[i]);
        void* theirs = dlsym(host_handle, sheaf_names[i]);
        // The search goes on into what the backend depends on: then it found the host's.
        if (ours && ours != theirs) {
            targets[i] = ours;
        } else if (!theirs) {
            // Fortran bindings are a library of their own, which the host does not depend on.
            theirs = dlsym(RTLD_NEXT, sheaf_names[i]);
            targets[i] = theirs ? theirs : sheaf_absent(i);
        } else {
            dprintf(STDERR_FILENO, "sheaf: libsheaf-%s.so lacks %s; using the MPI library's I/O\n",
                    host.kind->abi, sheaf_names[i]);
            return false;
        }
    }
    return true;
}

static void target_host(void) {
    for (size_t i = 0; i < sheaf_index_count; ++i) {
        void* theirs = dlsym(host_handle, sheaf_names[i]);
        if (!theirs) theirs = dlsym(RTLD_NEXT, sheaf_names[i]);
        targets[i] = theirs ? theirs : sheaf_absent(i);
    }
}

/// False when no MPI library is loaded yet.
static bool bind_process(const void* caller) {
    if (!sheaf_find_host(caller, &host)) return false;
    // The library may be in the local scope of a Python extension; the backend looks in the global.
    host_handle = dlopen(host.path, RTLD_NOLOAD | RTLD_GLOBAL | RTLD_LAZY);
    if (!host_handle) return false;
    first_process = getpid();
    sheaf_set_absent(host.kind, targets);
    void* backend = switched_off() ? NULL : load_backend(host.kind->abi);
    serves_files = backend && target_backend(backend);
    if (!serves_files) target_host();
    return true;
}

/// Opens the fast path. File calls keep coming here until the program made one itself, so that
/// sheaf_reached() is exact at no cost per call.
static void publish(void) {
    for (size_t i = 0; i < sheaf_index_count; ++i) {
        if (file_call_seen || !is_file_call(i)) {
            __atomic_store_n(&sheaf_slots[i], targets[i], __ATOMIC_RELEASE);
        }
    }
}

/// No MPI library that we know is loaded: one that we do not know, or none.
static void* resolve_without_host(size_t index) {
    void* next = dlsym(RTLD_NEXT, sheaf_names[index]);
    if (next) return next;
    dprintf(STDERR_FILENO, "sheaf: %s called, but no MPI library is loaded in this process\n",
            sheaf_names[index]);
    return sheaf_absent(index);
}

void* sheaf_resolve(size_t index, const void* caller) {
    pthread_mutex_lock(&lock);
    void* target;
    if (host_handle || bind_process(caller)) {
        // ROMIO calls PMPI_File_set_errhandler from inside the host library.
        const bool from_host = caller >= host.begin && caller < host.end;
        if (is_file_call(index) && !from_host) file_call_seen = true;
        publish();
        target = targets[index];
    } else {
        target = resolve_without_host(index);
    }
    pthread_mutex_unlock(&lock);
    return target;
}

bool sheaf_reached(void) {
    pthread_mutex_lock(&lock);
    const bool reached = serves_files && file_call_seen;
    pthread_mutex_unlock(&lock);
    return reached;
}

bool sheaf_is_first_process(void) {
    return first_process == 0 || first_process == getpid();
}
