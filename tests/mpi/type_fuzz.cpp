// SPDX-License-Identifier: BSD-3-Clause

/// Random datatypes, decoded by Sheaf, packed by the host, and spelt out byte by byte: all must
/// name the same bytes in the same order. Where only the host differs it is the host that is wrong
/// (Open MPI 4 packs single bytes of stride -1 upwards, and structs with empty parts without their
/// padding). Types are freed and made anew between rounds, so that handles are reused.
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

/// The offset of each data byte in typemap order, by the letter of the standard; no more than
/// kMostData of them are kept.
using Typemap = std::vector<std::int64_t>;

/// A datatype to be freed, unless it is predefined; what it must name; and how it was made.
struct Made {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    bool derived = false;
    Typemap bytes;
    std::string text;
};

/// MPICH 4 and 5 divide by zero when they pack certain structs with parts that hold no data.
bool host_packs_empty_parts() {
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(version, &length);
    return std::strstr(version, "Open MPI") != nullptr;
}

std::int64_t extent_of(MPI_Datatype type) {
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    MPI_Type_get_extent(type, &lower, &extent);
    return extent;
}

/// Appends `count` times `child` from `displacement` on.
void place(Typemap& bytes, std::int64_t displacement, int count, const Made& child) {
    const std::int64_t extent = extent_of(child.type);
    for (int i = 0; i < count; ++i) {
        for (const std::int64_t offset : child.bytes) {
            if (static_cast<std::int64_t>(bytes.size()) > kMostData) return;
            bytes.push_back(displacement + i * extent + offset);
        }
    }
}

/// Appends `child` for each element of an array that `mine(indices)` accepts, in storage order.
template <class Mine>
void place_elements(Typemap& bytes, const std::vector<int>& sizes, int order, const Made& child,
                    Mine mine) {
    const std::int64_t extent = extent_of(child.type);
    std::int64_t elements = 1;
    for (const int size : sizes) elements *= size;
    for (std::int64_t element = 0; element < elements; ++element) {
        std::vector<int> indices(sizes.size());
        std::int64_t rest = element;
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            const std::size_t i = order == MPI_ORDER_C ? sizes.size() - 1 - k : k;
            indices[i] = static_cast<int>(rest % sizes[i]);
            rest /= sizes[i];
        }
        if (mine(indices)) place(bytes, element * extent, 1, child);
    }
}

void release(Made& made) {
    if (made.derived) MPI_Type_free(&made.type);
}

/// A made type; some hosts refuse some constructors over types without data, then no bytes stand
/// in.
Made derived(MPI_Datatype type, Typemap bytes, std::string text) {
    if (type == MPI_DATATYPE_NULL) {
        MPI_Type_contiguous(0, MPI_BYTE, &type);
        bytes.clear();
        text = "refused " + text;
    }
    return {type, true, std::move(bytes), std::move(text)};
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

/// Without long double: packing it, hosts copy its 10 significant bytes and leave the other 6.
std::vector<Named> predefined() {
#define NAMED(type) {type, #type}
    std::vector<Named> all{
        NAMED(MPI_CHAR),
        NAMED(MPI_SHORT),
        NAMED(MPI_INT),
        NAMED(MPI_LONG),
        NAMED(MPI_FLOAT),
        NAMED(MPI_DOUBLE),
        NAMED(MPI_LONG_DOUBLE_INT),
        NAMED(MPI_BYTE),
        NAMED(MPI_INT8_T),
        NAMED(MPI_UINT64_T),
        NAMED(MPI_C_BOOL),
        NAMED(MPI_C_DOUBLE_COMPLEX),
        NAMED(MPI_WCHAR),
        NAMED(MPI_AINT),
        NAMED(MPI_OFFSET),
        NAMED(MPI_COUNT),
        NAMED(MPI_SHORT_INT),
        NAMED(MPI_DOUBLE_INT),
        NAMED(MPI_LONG_INT),
        NAMED(MPI_FLOAT_INT),
        NAMED(MPI_2INT),
        NAMED(MPI_UNSIGNED_CHAR),
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

    /// Some struct made so far has a part without data.
    [[nodiscard]] bool empty_parts() const { return empty_parts_; }

private:
    Made leaf() {
        const int last = static_cast<int>(predefined_.size()) - 1;
        const Named& named = predefined_[static_cast<std::size_t>(draw_.in(0, last))];
        return {named.type, false, bytes_of(named.type), named.name};
    }

    static Typemap bytes_of(MPI_Datatype type) {
        if (type == MPI_SHORT_INT) return {0, 1, 4, 5, 6, 7};
        int size = 0;
        MPI_Type_size(type, &size);
        Typemap bytes;
        for (int i = 0; i < size; ++i) bytes.push_back(i);
        return bytes;
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
            return derived(type, child.bytes, "dup(" + child.text + ")");
        }
        using Contiguous = int(MPI_Count, MPI_Datatype, MPI_Datatype*);
        auto* const form = large<Contiguous>("MPI_Type_contiguous_c");
        if (large_form(form)) {
            form(count, child.type, &type);
        } else {
            MPI_Type_contiguous(count, child.type, &type);
        }
        Typemap bytes;
        place(bytes, 0, count, child);
        release(child);
        return derived(type, bytes,
                       "contiguous(" + std::to_string(count) + ", " + child.text + ")");
    }

    Made vector(int levels) {
        Made child = make(levels - 1);
        MPI_Datatype type = MPI_DATATYPE_NULL;
        const bool in_bytes = draw_.one_in(2);
        const std::vector<int> n{draw_.in(0, 4), draw_.in(0, 3), draw_.in(-5, in_bytes ? 60 : 6)};
        auto* const form =
            large<Vector>(in_bytes ? "MPI_Type_create_hvector_c" : "MPI_Type_vector_c");
        if (large_form(form)) {
            form(n[0], n[1], n[2], child.type, &type);
        } else if (in_bytes) {
            MPI_Type_create_hvector(n[0], n[1], n[2], child.type, &type);
        } else {
            MPI_Type_vector(n[0], n[1], n[2], child.type, &type);
        }
        Typemap bytes;
        const std::int64_t unit = in_bytes ? 1 : extent_of(child.type);
        for (int i = 0; i < n[0]; ++i) place(bytes, i * n[2] * unit, n[1], child);
        release(child);
        return derived(type, bytes,
                       (in_bytes ? "hvector(" : "vector(") + joined(n) + ", " + child.text + ")");
    }

    static Typemap placed(const std::vector<int>& places, bool in_bytes,
                          const std::vector<int>& lengths, const Made& child) {
        const std::int64_t unit = in_bytes ? 1 : extent_of(child.type);
        Typemap bytes;
        for (std::size_t i = 0; i < places.size(); ++i) {
            place(bytes, places[i] * unit, lengths[i], child);
        }
        return bytes;
    }

    Made indexed(int levels) {
        Made child = make(levels - 1);
        MPI_Datatype type = MPI_DATATYPE_NULL;
        const bool in_bytes = draw_.one_in(2);
        const int count = draw_.in(0, 5);
        const std::vector<int> lengths = draw_.list(count, 0, 3);
        const std::vector<int> places = draw_.list(count, -9, in_bytes ? 200 : 12);
        auto* const form =
            large<Indexed>(in_bytes ? "MPI_Type_create_hindexed_c" : "MPI_Type_indexed_c");
        if (large_form(form)) {
            form(count, as<MPI_Count>(lengths).data(), as<MPI_Count>(places).data(), child.type,
                 &type);
        } else if (in_bytes) {
            MPI_Type_create_hindexed(count, lengths.data(), as<MPI_Aint>(places).data(), child.type,
                                     &type);
        } else {
            MPI_Type_indexed(count, lengths.data(), places.data(), child.type, &type);
        }
        Typemap bytes = placed(places, in_bytes, lengths, child);
        release(child);
        return derived(type, bytes,
                       (in_bytes ? "hindexed(" : "indexed(") + joined(lengths) + ", " +
                           joined(places) + ", " + child.text + ")");
    }

    Made indexed_block(int levels) {
        Made child = make(levels - 1);
        MPI_Datatype type = MPI_DATATYPE_NULL;
        const bool in_bytes = draw_.one_in(2);
        const int count = draw_.in(0, 5);
        const int length = draw_.in(0, 3);
        const std::vector<int> places = draw_.list(count, -9, in_bytes ? 200 : 12);
        auto* const form = large<IndexedBlock>(in_bytes ? "MPI_Type_create_hindexed_block_c"
                                                        : "MPI_Type_create_indexed_block_c");
        if (large_form(form)) {
            form(count, length, as<MPI_Count>(places).data(), child.type, &type);
        } else if (in_bytes) {
            MPI_Type_create_hindexed_block(count, length, as<MPI_Aint>(places).data(), child.type,
                                           &type);
        } else {
            MPI_Type_create_indexed_block(count, length, places.data(), child.type, &type);
        }
        const std::vector<int> lengths(places.size(), length);
        Typemap bytes = placed(places, in_bytes, lengths, child);
        release(child);
        return derived(type, bytes,
                       (in_bytes ? "hindexed_block(" : "indexed_block(") + std::to_string(length) +
                           ", " + joined(places) + ", " + child.text + ")");
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
        Typemap bytes;
        for (std::size_t i = 0; i < children.size(); ++i) {
            place(bytes, places[i], lengths[i], children[i]);
            empty_parts_ = empty_parts_ || lengths[i] == 0 || children[i].bytes.empty();
            release(children[i]);
        }
        return derived(type, bytes, text + ")");
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
        Typemap bytes;
        place_elements(bytes, sizes, order, child, [&](const std::vector<int>& at) {
            bool inside = true;
            for (std::size_t i = 0; i < at.size(); ++i) {
                inside = inside && starts[i] <= at[i] && at[i] < starts[i] + subsizes[i];
            }
            return inside;
        });
        release(child);
        return derived(type, bytes,
                       std::string{"subarray("} + (order == MPI_ORDER_C ? "C, " : "F, ") +
                           joined(sizes) + ", " + joined(subsizes) + ", " + joined(starts) + ", " +
                           child.text + ")");
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
        const auto owner = [&](const std::vector<int>& at) {
            int number = 0;  // The grid of processes is in C order.
            for (std::size_t i = 0; i < at.size(); ++i) {
                int block = dargs[i];
                if (block == MPI_DISTRIBUTE_DFLT_DARG) {
                    block = kinds[i] == MPI_DISTRIBUTE_CYCLIC ? 1 : (sizes[i] - 1) / grid[i] + 1;
                }
                number = number * grid[i] + at[i] / block % grid[i];
            }
            return number;
        };
        Typemap bytes;
        place_elements(bytes, sizes, order, child,
                       [&](const std::vector<int>& at) { return owner(at) == rank; });
        release(child);
        return derived(type, bytes,
                       std::string{"darray("} + (order == MPI_ORDER_C ? "C, " : "F, ") + "rank " +
                           std::to_string(rank) + ", " + joined(sizes) + ", " + joined(kinds) +
                           ", " + joined(dargs) + ", " + joined(grid) + ", " + child.text + ")");
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
        return derived(type, child.bytes,
                       "resized(" + std::to_string(lower) + ", " + std::to_string(extent) + ", " +
                           child.text + ")");
    }

    Draw& draw_;
    std::vector<Named> predefined_;
    bool empty_parts_ = false;
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

/// The typemap itself against the layout.
bool names_the_same(const Layout& layout, const Typemap& bytes) {
    std::size_t at = 0;
    for (Cursor cursor{layout}; !cursor.at_end(); cursor.advance(cursor.piece().length)) {
        const auto piece = cursor.piece();
        for (std::int64_t i = 0; i < piece.length.value; ++i, ++at) {
            if (at >= bytes.size() || bytes[at] != piece.offset.value + i) return false;
        }
    }
    return at == bytes.size();
}

/// What is wrong: with us, or with the host's packing, where we agree with the standard and the
/// host does not. Both empty when good.
struct Verdict {
    std::string ours;
    std::string host;
};

bool unpacks_alike(const Layout& layout, int count, MPI_Datatype type) {
    if (layout.may_overlap()) return true;
    Memory ours{layout.bounds()};
    Memory host = ours;
    std::vector<std::byte> input(static_cast<std::size_t>(layout.size().value));
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<std::byte>(i * 7 + 1);
    Cursor cursor{layout};
    sheaf::view::scatter(ours.base(), cursor, input);
    int position = 0;
    MPI_Unpack(input.data(), static_cast<int>(input.size()), &position, host.base(), count, type,
               MPI_COMM_SELF);
    return ours.bytes == host.bytes;
}

/// The same bytes named by addresses, from MPI_BOTTOM.
std::string compare_absolute(Memory& memory, int count, MPI_Datatype type,
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

/// `count` instances, packed and unpacked.
Verdict compare_packing(const Made& made, int count, const Layout& layout, bool ask_host) {
    if (layout.size().value > kMostData || layout.bounds().size().value > kMostSpan) return {};
    Typemap expected;
    place(expected, 0, count, made);
    if (!names_the_same(layout, expected)) return {"repeated bytes differ from the typemap", ""};
    Memory memory{layout.bounds()};
    const std::vector<std::byte> ours = packed_by_sheaf(memory.base(), layout);
    const auto size = static_cast<int>(layout.size().value);
    Verdict verdict;
    if (ask_host && ours != packed_by_host(memory.base(), count, made.type, size)) {
        verdict.host = "MPI_Pack";
    } else if (ask_host && !unpacks_alike(layout, count, made.type)) {
        verdict.host = "MPI_Unpack";
    }
    const auto back = sheaf::view::deserialise(sheaf::view::serialise(layout));
    if (!back.ok() || !(back.value() == layout)) verdict.ours = "serialised layout differs";
    if (verdict.ours.empty()) verdict.ours = compare_absolute(memory, count, made.type, ours);
    return verdict;
}

Verdict compare(Draw& draw, const Made& made, const Decoded& decoded, bool ask_host) {
    MPI_Count size = 0;
    PMPI_Type_size_x(made.type, &size);
    if (size != decoded.layout.size().value) return {"size differs from MPI_Type_size", ""};
    if (size > kMostData) return {};
    if (!names_the_same(decoded.layout, made.bytes)) return {"bytes differ from the typemap", ""};
    const int count = draw.in(0, 3);
    const auto repeated = decoded.repeated(count);
    if (!repeated.ok()) return {std::string{repeated.status().text()}, ""};
    return compare_packing(made, count, repeated.value(), ask_host);
}

struct Tally {
    long passed = 0;
    long failed = 0;
    long host_failed = 0;
};

/// One random type, made, decoded, compared and freed; prints what is wrong.
void run_round(std::uint64_t seed, bool verbose, Tally& tally) {
    Draw draw{seed};
    Maker maker{draw};
    Made made = maker.make(draw.in(1, 5));
    if (made.derived) MPI_Type_commit(&made.type);
    const auto decoded = sheaf::view::decode(made.type);
    const std::string layout = decoded.ok() ? to_string(decoded.value().layout) : "-";
    const auto describe = [&](const char* title, const std::string& what) {
        std::printf("%s seed %llu: %s\n  type   %s\n  layout %s\n", title,
                    static_cast<unsigned long long>(seed), what.c_str(), made.text.c_str(),
                    layout.c_str());
        std::fflush(stdout);
    };
    if (verbose) describe("round with", "");
    const bool ask_host = !maker.empty_parts() || host_packs_empty_parts();
    const Verdict verdict = decoded.ok() ? compare(draw, made, decoded.value(), ask_host)
                                         : Verdict{std::string{decoded.status().text()}, ""};
    if (!verdict.ours.empty()) describe("FAILED", verdict.ours);
    if (!verdict.host.empty() && verbose) describe("host differs", verdict.host);
    ++(!verdict.ours.empty()   ? tally.failed
       : !verdict.host.empty() ? tally.host_failed
                               : tally.passed);
    release(made);
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
    Tally tally;
    for (std::uint64_t seed = first; seed < first + rounds && tally.failed < 20; ++seed) {
        run_round(seed, rounds == 1, tally);
    }
    ++(null_is_refused() ? tally.passed : tally.failed);
    ++(huge_types_decode() ? tally.passed : tally.failed);
    if (tally.host_failed > 0) {
        std::printf("skip: in %ld rounds the host packs other bytes than the standard names\n",
                    tally.host_failed);
    }
    std::printf("%ld passed, %ld failed, %ld skipped\n", tally.passed, tally.failed,
                tally.host_failed);
    MPI_Finalize();
    return tally.failed == 0 ? 0 : 1;
}
