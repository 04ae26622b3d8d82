// SPDX-License-Identifier: BSD-3-Clause

/// Random datatypes, decoded by Sheaf and packed by the host: both must name the same bytes in the
/// same order. Types are freed and made anew between rounds, so that handles are reused.
///
///     type_fuzz [seed [rounds]]        one rank

#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "view/cursor.h"
#include "view/decode.h"
#include "view/layout.h"
#include "view/pack.h"

namespace {

using sheaf::ByteOffset;
using sheaf::ByteRange;
using sheaf::view::Cursor;
using sheaf::view::Decoded;
using sheaf::view::Layout;

constexpr std::int64_t kMostData = 1 << 16;
constexpr std::int64_t kMostSpan = 1 << 20;

class Draw {
public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}
    int in(int low, int high) { return std::uniform_int_distribution<int>{low, high}(engine_); }
    bool one_in(int n) { return in(1, n) == 1; }
    /// Numbers of a constructor's argument list.
    template <class T = int>
    std::vector<T> list(int count, int low, int high) {
        std::vector<T> values;
        for (int i = 0; i < count; ++i) values.push_back(static_cast<T>(in(low, high)));
        return values;
    }

private:
    std::mt19937_64 engine_;
};

/// A datatype to be freed, unless it is predefined; and how it was made.
struct Made {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    bool derived = false;
    std::string text;
};

void release(Made& made) {
    if (made.derived) MPI_Type_free(&made.type);
}

Made derived(MPI_Datatype type, std::string text) {
    return {type, true, std::move(text)};
}

std::string joined(const std::vector<int>& values) {
    std::string text = "[";
    for (const int value : values) text += (text.size() > 1 ? " " : "") + std::to_string(value);
    return text + "]";
}

template <class To>
std::vector<To> as(const std::vector<int>& values) {
    return {values.begin(), values.end()};
}

struct Named {
    MPI_Datatype type;
    const char* name;
};

std::vector<Named> predefined() {
#define NAMED(type) {type, #type}
    std::vector<Named> all{
        NAMED(MPI_CHAR),        NAMED(MPI_SHORT),
        NAMED(MPI_INT),         NAMED(MPI_LONG),
        NAMED(MPI_FLOAT),       NAMED(MPI_DOUBLE),
        NAMED(MPI_LONG_DOUBLE), NAMED(MPI_BYTE),
        NAMED(MPI_INT8_T),      NAMED(MPI_UINT64_T),
        NAMED(MPI_C_BOOL),      NAMED(MPI_C_DOUBLE_COMPLEX),
        NAMED(MPI_WCHAR),       NAMED(MPI_AINT),
        NAMED(MPI_OFFSET),      NAMED(MPI_COUNT),
        NAMED(MPI_SHORT_INT),   NAMED(MPI_DOUBLE_INT),
        NAMED(MPI_LONG_INT),    NAMED(MPI_FLOAT_INT),
        NAMED(MPI_2INT),        NAMED(MPI_LONG_DOUBLE_INT),
    };
#undef NAMED
    MPI_Datatype type = MPI_DATATYPE_NULL;
    const auto add = [&](int code, const char* name) {
        if (code == MPI_SUCCESS && type != MPI_DATATYPE_NULL) all.push_back({type, name});
    };
    add(MPI_Type_create_f90_real(12, MPI_UNDEFINED, &type), "f90_real(12)");
    add(MPI_Type_create_f90_complex(5, 30, &type), "f90_complex(5, 30)");
    add(MPI_Type_create_f90_integer(7, &type), "f90_integer(7)");
    return all;
}

/// The large-count constructors, where the host has them.
template <class Function>
Function* large(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}
using Vector = int(MPI_Count, MPI_Count, MPI_Count, MPI_Datatype, MPI_Datatype*);
using Indexed = int(MPI_Count, const MPI_Count[], const MPI_Count[], MPI_Datatype, MPI_Datatype*);
using IndexedBlock = int(MPI_Count, MPI_Count, const MPI_Count[], MPI_Datatype, MPI_Datatype*);
using Struct = int(MPI_Count, const MPI_Count[], const MPI_Count[], const MPI_Datatype[],
                   MPI_Datatype*);
using Subarray = int(int, const MPI_Count[], const MPI_Count[], const MPI_Count[], int,
                     MPI_Datatype, MPI_Datatype*);
using Darray = int(int, int, int, const MPI_Count[], const int[], const int[], const int[], int,
                   MPI_Datatype, MPI_Datatype*);
using Resized = int(MPI_Datatype, MPI_Count, MPI_Count, MPI_Datatype*);

/// Makes random datatypes out of each other.
class Maker {
public:
    explicit Maker(Draw& draw) : draw_(draw), predefined_(predefined()) {}

    Made make(int levels) {
        if (levels <= 1 || draw_.one_in(9)) return leaf();
        switch (draw_.in(0, 8)) {
            case 0:
                return contiguous(levels);
            case 1:
                return vector(levels);
            case 2:
                return indexed(levels);
            case 3:
                return indexed_block(levels);
            case 4:
            case 5:
                return structure(levels);
            case 6:
                return subarray(levels);
            case 7:
                return darray(levels);
            default:
                return resized(levels);
        }
    }

private:
    Made leaf() {
        const int last = static_cast<int>(predefined_.size()) - 1;
        const Named& named = predefined_[static_cast<std::size_t>(draw_.in(0, last))];
        return {named.type, false, named.name};
    }

    /// Whether to take the large-count form, when there is `form`.
    template <class Function>
    bool large_form(Function* form) {
        return form != nullptr && draw_.one_in(3);
    }

    Made contiguous(int levels) {
        Made child = make(levels - 1);
        MPI_Datatype type = MPI_DATATYPE_NULL;
        const int count = draw_.in(0, 4);
        if (draw_.one_in(4)) {
            MPI_Type_dup(child.type, &type);
            release(child);
            return derived(type, "dup(" + child.text + ")");
        }
        using Contiguous = int(MPI_Count, MPI_Datatype, MPI_Datatype*);
        auto* const form = large<Contiguous>("MPI_Type_contiguous_c");
        if (large_form(form)) {
            form(count, child.type, &type);
        } else {
            MPI_Type_contiguous(count, child.type, &type);
        }
        release(child);
        return derived(type, "contiguous(" + std::to_string(count) + ", " + child.text + ")");
    }

    Made vector(int levels) {
        Made child = make(levels - 1);
        MPI_Datatype type = MPI_DATATYPE_NULL;
        const bool bytes = draw_.one_in(2);
        const std::vector<int> n{draw_.in(0, 4), draw_.in(0, 3), draw_.in(-5, bytes ? 60 : 6)};
        auto* const form = large<Vector>(bytes ? "MPI_Type_create_hvector_c" : "MPI_Type_vector_c");
        if (large_form(form)) {
            form(n[0], n[1], n[2], child.type, &type);
        } else if (bytes) {
            MPI_Type_create_hvector(n[0], n[1], n[2], child.type, &type);
        } else {
            MPI_Type_vector(n[0], n[1], n[2], child.type, &type);
        }
        release(child);
        return derived(type,
                       (bytes ? "hvector(" : "vector(") + joined(n) + ", " + child.text + ")");
    }

    Made indexed(int levels) {
        Made child = make(levels - 1);
        MPI_Datatype type = MPI_DATATYPE_NULL;
        const bool bytes = draw_.one_in(2);
        const int count = draw_.in(0, 5);
        const std::vector<int> lengths = draw_.list(count, 0, 3);
        const std::vector<int> places = draw_.list(count, -9, bytes ? 200 : 12);
        auto* const form =
            large<Indexed>(bytes ? "MPI_Type_create_hindexed_c" : "MPI_Type_indexed_c");
        if (large_form(form)) {
            form(count, as<MPI_Count>(lengths).data(), as<MPI_Count>(places).data(), child.type,
                 &type);
        } else if (bytes) {
            MPI_Type_create_hindexed(count, lengths.data(), as<MPI_Aint>(places).data(), child.type,
                                     &type);
        } else {
            MPI_Type_indexed(count, lengths.data(), places.data(), child.type, &type);
        }
        release(child);
        return derived(type, (bytes ? "hindexed(" : "indexed(") + joined(lengths) + ", " +
                                 joined(places) + ", " + child.text + ")");
    }

    Made indexed_block(int levels) {
        Made child = make(levels - 1);
        MPI_Datatype type = MPI_DATATYPE_NULL;
        const bool bytes = draw_.one_in(2);
        const int count = draw_.in(0, 5);
        const int length = draw_.in(0, 3);
        const std::vector<int> places = draw_.list(count, -9, bytes ? 200 : 12);
        auto* const form = large<IndexedBlock>(bytes ? "MPI_Type_create_hindexed_block_c"
                                                     : "MPI_Type_create_indexed_block_c");
        if (large_form(form)) {
            form(count, length, as<MPI_Count>(places).data(), child.type, &type);
        } else if (bytes) {
            MPI_Type_create_hindexed_block(count, length, as<MPI_Aint>(places).data(), child.type,
                                           &type);
        } else {
            MPI_Type_create_indexed_block(count, length, places.data(), child.type, &type);
        }
        release(child);
        return derived(type, (bytes ? "hindexed_block(" : "indexed_block(") +
                                 std::to_string(length) + ", " + joined(places) + ", " +
                                 child.text + ")");
    }

    Made structure(int levels) {
        const int count = draw_.in(0, 4);
        const std::vector<int> lengths = draw_.list(count, 0, 3);
        const std::vector<int> places = draw_.list(count, -50, 200);
        std::vector<Made> children;
        std::vector<MPI_Datatype> types;
        std::string text = "struct(" + joined(lengths) + ", " + joined(places);
        for (int i = 0; i < count; ++i) {
            children.push_back(make(levels - 1));
            types.push_back(children.back().type);
            text += ", " + children.back().text;
        }
        MPI_Datatype type = MPI_DATATYPE_NULL;
        auto* const form = large<Struct>("MPI_Type_create_struct_c");
        if (large_form(form)) {
            form(count, as<MPI_Count>(lengths).data(), as<MPI_Count>(places).data(), types.data(),
                 &type);
        } else {
            MPI_Type_create_struct(count, lengths.data(), as<MPI_Aint>(places).data(), types.data(),
                                   &type);
        }
        for (Made& child : children) release(child);
        return derived(type, text + ")");
    }

    Made subarray(int levels) {
        Made child = make(levels - 1);
        const int dimensions = draw_.in(1, 3);
        const int order = draw_.one_in(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
        std::vector<int> sizes;
        std::vector<int> subsizes;
        std::vector<int> starts;
        for (int i = 0; i < dimensions; ++i) {
            sizes.push_back(draw_.in(1, 5));
            subsizes.push_back(draw_.in(1, sizes.back()));
            starts.push_back(draw_.in(0, sizes.back() - subsizes.back()));
        }
        MPI_Datatype type = MPI_DATATYPE_NULL;
        auto* const form = large<Subarray>("MPI_Type_create_subarray_c");
        if (large_form(form)) {
            form(dimensions, as<MPI_Count>(sizes).data(), as<MPI_Count>(subsizes).data(),
                 as<MPI_Count>(starts).data(), order, child.type, &type);
        } else {
            MPI_Type_create_subarray(dimensions, sizes.data(), subsizes.data(), starts.data(),
                                     order, child.type, &type);
        }
        release(child);
        return derived(type, std::string{"subarray("} + (order == MPI_ORDER_C ? "C, " : "F, ") +
                                 joined(sizes) + ", " + joined(subsizes) + ", " + joined(starts) +
                                 ", " + child.text + ")");
    }

    Made darray(int levels) {
        Made child = make(levels - 1);
        const int dimensions = draw_.in(1, 3);
        const int order = draw_.one_in(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
        std::vector<int> sizes;
        std::vector<int> kinds;
        std::vector<int> dargs;
        std::vector<int> grid;
        int processes = 1;
        for (int i = 0; i < dimensions; ++i) {
            const int size = draw_.in(1, 9);
            const int owners = draw_.in(1, 3);
            const int kind = draw_.in(0, 2);
            sizes.push_back(size);
            grid.push_back(kind == 2 ? 1 : owners);
            processes *= grid.back();
            kinds.push_back(kind == 0   ? MPI_DISTRIBUTE_BLOCK
                            : kind == 1 ? MPI_DISTRIBUTE_CYCLIC
                                        : MPI_DISTRIBUTE_NONE);
            const int least = kind == 0 ? (size + owners - 1) / owners : 1;
            dargs.push_back(kind == 2 || draw_.one_in(2) ? MPI_DISTRIBUTE_DFLT_DARG
                                                         : draw_.in(least, least + 2));
        }
        const int rank = draw_.in(0, processes - 1);
        MPI_Datatype type = MPI_DATATYPE_NULL;
        auto* const form = large<Darray>("MPI_Type_create_darray_c");
        if (large_form(form)) {
            form(processes, rank, dimensions, as<MPI_Count>(sizes).data(), kinds.data(),
                 dargs.data(), grid.data(), order, child.type, &type);
        } else {
            MPI_Type_create_darray(processes, rank, dimensions, sizes.data(), kinds.data(),
                                   dargs.data(), grid.data(), order, child.type, &type);
        }
        release(child);
        return derived(type, std::string{"darray("} + (order == MPI_ORDER_C ? "C, " : "F, ") +
                                 "rank " + std::to_string(rank) + ", " + joined(sizes) + ", " +
                                 joined(kinds) + ", " + joined(dargs) + ", " + joined(grid) + ", " +
                                 child.text + ")");
    }

    Made resized(int levels) {
        Made child = make(levels - 1);
        const int lower = draw_.in(-30, 30);
        const int extent = draw_.in(0, 100);
        MPI_Datatype type = MPI_DATATYPE_NULL;
        auto* const form = large<Resized>("MPI_Type_create_resized_c");
        if (large_form(form)) {
            form(child.type, lower, extent, &type);
        } else {
            MPI_Type_create_resized(child.type, lower, extent, &type);
        }
        release(child);
        return derived(type, "resized(" + std::to_string(lower) + ", " + std::to_string(extent) +
                                 ", " + child.text + ")");
    }

    Draw& draw_;
    std::vector<Named> predefined_;
};

/// Memory for the bytes of a layout.
struct Memory {
    std::vector<std::byte> bytes;
    std::int64_t begin;

    explicit Memory(ByteRange bounds)
        : bytes(static_cast<std::size_t>(bounds.size().value) + 1), begin(bounds.begin.value) {
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            bytes[i] = static_cast<std::byte>((i * 2654435761U) >> 11U);
        }
    }
    /// What the offsets of the layout count from.
    std::byte* base() { return sheaf::view::address(bytes.data(), {-begin}); }
};

std::vector<std::byte> packed_by_host(void* base, int count, MPI_Datatype type, int size) {
    int room = 0;
    MPI_Pack_size(count, type, MPI_COMM_SELF, &room);
    std::vector<std::byte> packed(static_cast<std::size_t>(std::max(room, size)) + 1);
    int position = 0;
    MPI_Pack(base, count, type, packed.data(), static_cast<int>(packed.size()), &position,
             MPI_COMM_SELF);
    packed.resize(static_cast<std::size_t>(position));
    return packed;
}

std::vector<std::byte> packed_by_sheaf(const std::byte* base, const Layout& layout) {
    std::vector<std::byte> packed(static_cast<std::size_t>(layout.size().value));
    Cursor cursor{layout};
    sheaf::view::gather(base, cursor, packed);
    return packed;
}

/// Outcome of a round: empty when good.
using Complaint = std::string;

Complaint compare_unpacking(const Layout& layout, int count, MPI_Datatype type) {
    if (layout.may_overlap()) return {};
    Memory ours{layout.bounds()};
    Memory host = ours;
    std::vector<std::byte> input(static_cast<std::size_t>(layout.size().value));
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::byte>(i * 7 + 1);
    Cursor cursor{layout};
    sheaf::view::scatter(ours.base(), cursor, input);
    int position = 0;
    MPI_Unpack(input.data(), static_cast<int>(input.size()), &position, host.base(), count, type,
               MPI_COMM_SELF);
    return ours.bytes == host.bytes ? Complaint{} : Complaint{"unpacked bytes differ"};
}

/// The same bytes named by addresses, from MPI_BOTTOM.
Complaint compare_absolute(Memory& memory, int count, MPI_Datatype type,
                           const std::vector<std::byte>& expected) {
    MPI_Aint where = 0;
    MPI_Get_address(memory.base(), &where);
    MPI_Datatype absolute = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(1, &count, &where, &type, &absolute);
    MPI_Type_commit(&absolute);
    const auto decoded = sheaf::view::decode(absolute);
    MPI_Type_free(&absolute);
    if (!decoded.ok()) return "absolute: " + std::string{decoded.status().text()};
    if (packed_by_sheaf(nullptr, decoded.value().layout) != expected) {
        return "bytes from MPI_BOTTOM differ";
    }
    return {};
}

Complaint compare(Draw& draw, MPI_Datatype type, const Decoded& decoded) {
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    if (size != decoded.layout.size().value) {
        return "size " + std::to_string(decoded.layout.size().value) + ", host says " +
               std::to_string(size);
    }
    const int count = draw.in(0, 3);
    const auto repeated = decoded.repeated(count);
    if (!repeated.ok()) return std::string{repeated.status().text()};
    const Layout& layout = repeated.value();
    if (layout.size().value > kMostData || layout.bounds().size().value > kMostSpan) return {};
    Memory memory{layout.bounds()};
    const std::vector<std::byte> ours = packed_by_sheaf(memory.base(), layout);
    const auto host =
        packed_by_host(memory.base(), count, type, static_cast<int>(layout.size().value));
    if (ours != host) return "packed bytes differ (count " + std::to_string(count) + ")";
    if (Complaint complaint = compare_unpacking(layout, count, type); !complaint.empty()) {
        return complaint;
    }
    const auto back = sheaf::view::deserialise(sheaf::view::serialise(layout));
    if (!back.ok() || !(back.value() == layout)) return "serialised layout differs";
    return compare_absolute(memory, count, type, ours);
}

/// One random type, made, decoded, compared and freed; prints what is wrong.
bool round_passes(std::uint64_t seed) {
    Draw draw{seed};
    Maker maker{draw};
    Made made = maker.make(draw.in(1, 5));
    if (made.derived) MPI_Type_commit(&made.type);
    const auto decoded = sheaf::view::decode(made.type);
    Complaint complaint;
    if (decoded.ok()) {
        complaint = compare(draw, made.type, decoded.value());
    } else {
        complaint = std::string{decoded.status().text()};
    }
    if (!complaint.empty()) {
        std::printf("FAILED seed %llu: %s\n  type   %s\n  layout %s\n",
                    static_cast<unsigned long long>(seed), complaint.c_str(), made.text.c_str(),
                    decoded.ok() ? to_string(decoded.value().layout).c_str() : "-");
    }
    release(made);
    return complaint.empty();
}

bool null_is_refused() {
    const auto decoded = sheaf::view::decode(MPI_DATATYPE_NULL);
    return !decoded.ok() && decoded.status().code() == sheaf::Code::datatype;
}

/// 10^12 pieces cost no more than ten.
bool huge_types_decode() {
    MPI_Datatype row = MPI_DATATYPE_NULL;
    MPI_Datatype all = MPI_DATATYPE_NULL;
    MPI_Type_vector(1'000'000, 1, 2, MPI_DOUBLE, &row);
    MPI_Type_create_hvector(1'000'000, 1, 32'000'000, row, &all);
    const auto decoded = sheaf::view::decode(all);
    MPI_Type_free(&row);
    MPI_Type_free(&all);
    return decoded.ok() && decoded.value().layout.pieces() == 1'000'000'000'000;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
    const std::uint64_t rounds = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20'000;
    std::printf("seeds %llu to %llu; run one again with: type_fuzz SEED 1\n",
                static_cast<unsigned long long>(first),
                static_cast<unsigned long long>(first + rounds - 1));
    long passed = 0;
    long failed = 0;
    for (std::uint64_t seed = first; seed < first + rounds && failed < 20; ++seed) {
        ++(round_passes(seed) ? passed : failed);
    }
    ++(null_is_refused() ? passed : failed);
    ++(huge_types_decode() ? passed : failed);
    std::printf("%ld passed, %ld failed, 0 skipped\n", passed, failed);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
