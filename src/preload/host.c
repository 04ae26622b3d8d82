// SPDX-License-Identifier: BSD-3-Clause

// Which MPI library this process uses, read from the loader's list of objects.

#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

#include "preload/preload.h"

static const struct sheaf_host_kind kKinds[] = {
    {"libmpi_abi.so.1", "abi", 55},
    {"libmpi.so.12", "mpich", 44},
    {"libmpich.so.12", "mpich-debian", 44},
    {"libmpi.so.40", "ompi", 52},
};

enum { kKindCount = sizeof kKinds / sizeof kKinds[0] };

struct search {
    const void* caller;
    struct sheaf_host* host;
    unsigned wanted;  // One bit per kind that the caller's object names; all when it names none.
};

static unsigned kind_bit(const char* soname) {
    for (unsigned i = 0; i < kKindCount; ++i) {
        if (strcmp(soname, kKinds[i].soname) == 0) return 1U << i;
    }
    return 0;
}

/// The kinds that the object names with `tag`: DT_SONAME (what it is) or DT_NEEDED (what it uses).
static unsigned named_kinds(const struct dl_phdr_info* info, ElfW(Sxword) tag) {
    const ElfW(Dyn)* dynamic = NULL;
    for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            dynamic = (const ElfW(Dyn)*)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        }
    }
    uintptr_t strings = 0;
    for (const ElfW(Dyn)* entry = dynamic; entry && entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
    }
    if (strings == 0) return 0;
    // Most loaders put the absolute address there; the kernel's vDSO and some loaders do not.
    if (strings < info->dlpi_addr) strings += info->dlpi_addr;

    unsigned kinds = 0;
    for (const ElfW(Dyn)* entry = dynamic; entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == tag) kinds |= kind_bit((const char*)strings + entry->d_un.d_val);
    }
    return kinds;
}

static void address_range(const struct dl_phdr_info* info, const void** begin, const void** end) {
    uintptr_t low = UINTPTR_MAX;
    uintptr_t high = 0;
    for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)* segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD) continue;
        const uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        if (start < low) low = start;
        if (start + segment->p_memsz > high) high = start + segment->p_memsz;
    }
    *begin = (const void*)low;
    *end = (const void*)high;
}

static int look_at_caller(struct dl_phdr_info* info, size_t size, void* data) {
    (void)size;
    struct search* search = data;
    const void* begin;
    const void* end;
    address_range(info, &begin, &end);
    if (search->caller < begin || search->caller >= end) return 0;
    const unsigned kinds = named_kinds(info, DT_SONAME) | named_kinds(info, DT_NEEDED);
    if (kinds != 0) search->wanted = kinds;
    return 1;
}

static int look_for_host(struct dl_phdr_info* info, size_t size, void* data) {
    (void)size;
    struct search* search = data;
    const unsigned kind = named_kinds(info, DT_SONAME) & search->wanted;
    if (kind == 0 || strlen(info->dlpi_name) >= sizeof search->host->path) return 0;
    search->host->kind = &kKinds[__builtin_ctz(kind)];
    strcpy(search->host->path, info->dlpi_name);
    address_range(info, &search->host->begin, &search->host->end);
    return 1;
}

bool sheaf_find_host(const void* caller, struct sheaf_host* host) {
    const unsigned every_kind = (1U << kKindCount) - 1;
    struct search search = {caller, host, every_kind};
    dl_iterate_phdr(look_at_caller, &search);
    if (dl_iterate_phdr(look_for_host, &search) != 0) return true;
    search.wanted = every_kind;
    return dl_iterate_phdr(look_for_host, &search) != 0;
}
