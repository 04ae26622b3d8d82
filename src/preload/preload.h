// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The universal preload: what its four parts share.
///
/// Each exported name is a trampoline that jumps through its slot. A slot is empty until the first
/// call; that call finds the MPI library of the process, loads the backend made for it, and fills
/// the slots. Nothing happens in a process that makes no MPI call. Needs libc only.

#include <stdbool.h>
#include <stddef.h>

#define SHEAF_HIDDEN __attribute__((visibility("hidden")))

/// One number per exported name, in the order of functions.def; the trampolines count alike.
enum sheaf_index {
#define SHEAF_FUNCTION(name, kind, state, text) sheaf_index_##name, sheaf_index_P##name,
#define SHEAF_LARGE_COUNT(name, position, state, text) \
    sheaf_index_##name##_c, sheaf_index_P##name##_c,
#define SHEAF_FORTRAN_OMPI(name) sheaf_index_##name,
#include "abi/functions.def"
#undef SHEAF_FUNCTION
#undef SHEAF_LARGE_COUNT
#undef SHEAF_FORTRAN_OMPI
    sheaf_index_count
};

/// The exported names; plain characters, so that loading this library relocates nothing.
extern const char sheaf_names[sheaf_index_count][32] SHEAF_HIDDEN;

/// Where each trampoline goes; NULL: not decided yet. Written with release order by bind.c.
extern void* sheaf_slots[sheaf_index_count] SHEAF_HIDDEN;

/// A kind of MPI library that Sheaf serves.
struct sheaf_host_kind {
    char soname[20];
    char abi[16];           // The backend is libsheaf-<abi>.so.
    int unsupported_class;  // MPI_ERR_UNSUPPORTED_OPERATION.
};

/// An MPI library loaded in this process.
struct sheaf_host {
    const struct sheaf_host_kind* kind;
    char path[4096];
    const void* begin;  // Its address range.
    const void* end;
};

/// Finds the MPI library that the object containing `caller` depends on, or else the first one
/// loaded. False when none is.
bool sheaf_find_host(const void* caller, struct sheaf_host* host) SHEAF_HIDDEN;

/// The slot's target, found and filled in. Called by the trampolines; `caller` is their return
/// address. Thread-safe.
void* sheaf_resolve(size_t index, const void* caller) SHEAF_HIDDEN;

/// True when a file call of this process went to Sheaf.
bool sheaf_reached(void) SHEAF_HIDDEN;

/// True in the process that made the first MPI call, and where there was none; false in its forks.
bool sheaf_is_first_process(void) SHEAF_HIDDEN;

/// Stands in for a function that the host library does not have: one line on standard error, and
/// MPI_ERR_UNSUPPORTED_OPERATION. With a large count that fits an int, the host's plain function.
void* sheaf_absent(size_t index) SHEAF_HIDDEN;

/// What the stand-ins need to know: the host's error class and the plain functions.
void sheaf_set_absent(const struct sheaf_host_kind* kind, void* const* targets) SHEAF_HIDDEN;
