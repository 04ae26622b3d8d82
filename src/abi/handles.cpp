// SPDX-License-Identifier: BSD-3-Clause
#include "abi/handles.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <new>

#include "base/assert.h"
#include "mpi/constants.h"
#include "platform/memory.h"

namespace sheaf::abi {

namespace {

constexpr std::uintptr_t kAlignment = std::uintptr_t{1} << 32;
constexpr std::uintptr_t kStride = 1024;
constexpr std::size_t kSlots = 65536;
// A freed slot is used again only after this many others: a handle that was closed stays invalid.
constexpr std::size_t kFreedKept = 256;

/// One handle's place in the arena.
struct Slot {
    // Release on insert, acquire on find: who sees the pointer sees what it points to.
    std::atomic<OpenHandle*> open{nullptr};
};

/// The arena. Thread-safe.
class Arena {
public:
    Arena()
        : base_(reinterpret_cast<std::uintptr_t>(
              platform::reserve_aligned(kSlots * kStride, kAlignment))) {}

    [[nodiscard]] bool usable() const { return base_ != 0; }
    [[nodiscard]] std::uintptr_t base() const { return base_; }

    Slot* find(std::uintptr_t address) const {
        const std::uintptr_t offset = address - base_;
        const bool ours =
            usable() && offset != 0 && offset < kSlots * kStride && offset % kStride == 0;
        return ours ? reinterpret_cast<Slot*>(address) : nullptr;
    }

    Slot* take() {
        const std::scoped_lock lock(mutex_);
        if (!usable()) return nullptr;
        if (freed_.size() > kFreedKept || next_ == kSlots) {
            if (freed_.empty()) return nullptr;
            Slot* slot = freed_.front();
            freed_.pop_front();
            return slot;
        }
        return new (reinterpret_cast<void*>(base_ + kStride * next_++)) Slot;
    }

    void give_back(Slot* slot) {
        SHEAF_ASSERT(slot->open.load(std::memory_order_relaxed) == nullptr);
        const std::scoped_lock lock(mutex_);
        freed_.push_back(slot);
    }

    std::vector<std::string> paths() {
        const std::scoped_lock lock(mutex_);
        std::vector<std::string> found;
        for (std::size_t i = 1; i < next_; ++i) {
            const Slot* slot = reinterpret_cast<Slot*>(base_ + kStride * i);
            if (const OpenHandle* open = slot->open.load(std::memory_order_acquire))
                found.push_back(open->file->path());
        }
        return found;
    }

private:
    std::uintptr_t base_;
    std::mutex mutex_;
    std::size_t next_ = 1;  // Slot 0 would be Fortran's null handle.
    std::deque<Slot*> freed_;
};

Arena& arena() {
    static Arena* const instance = new Arena;  // Never destroyed: used late in MPI_Finalize.
    return *instance;
}

}  // namespace

Result<MPI_File> insert(std::unique_ptr<OpenHandle> open) {
    Slot* slot = arena().take();
    if (slot == nullptr)
        return Status{Code::no_memory, "open: no file handle left (65,535 open files)"};
    SHEAF_ASSERT(slot->open.load(std::memory_order_relaxed) == nullptr);
    slot->open.store(open.release(), std::memory_order_release);
    return reinterpret_cast<MPI_File>(slot);
}

OpenHandle* find(MPI_File handle) {
    Slot* slot = arena().find(reinterpret_cast<std::uintptr_t>(handle));
    return slot == nullptr ? nullptr : slot->open.load(std::memory_order_acquire);
}

Result<OpenHandle*> lookup(MPI_File handle) {
    if (OpenHandle* open = find(handle)) return open;
    if (handle == MPI_FILE_NULL)
        return Status{Code::bad_handle, "the file handle is MPI_FILE_NULL"};
    return Status{Code::bad_handle, "the file handle is not of an open file"};
}

std::unique_ptr<OpenHandle> remove(MPI_File handle) {
    Slot* slot = arena().find(reinterpret_cast<std::uintptr_t>(handle));
    SHEAF_ASSERT(slot != nullptr);
    std::unique_ptr<OpenHandle> open(slot->open.exchange(nullptr, std::memory_order_acq_rel));
    arena().give_back(slot);
    return open;
}

std::vector<std::string> open_paths() {
    return arena().paths();
}

int to_fortran(MPI_File handle) {
    if (handle == MPI_FILE_NULL) return mpi::fortran_file_null();
    return static_cast<int>(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(handle)));
}

MPI_File from_fortran(int handle) {
    if (handle == mpi::fortran_file_null()) return MPI_FILE_NULL;
    return reinterpret_cast<MPI_File>(arena().base() + static_cast<std::uint32_t>(handle));
}

}  // namespace sheaf::abi
