// SPDX-License-Identifier: BSD-3-Clause
#include "hints/table.h"

#include <algorithm>
#include <array>

#include "base/assert.h"

namespace sheaf::hints {

namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 1> kCbRead{"cb_read"};
constexpr std::array<std::string_view, 1> kCbWrite{"cb_write"};
constexpr std::array<std::string_view, 1> kDsRead{"ds_read"};
constexpr std::array<std::string_view, 1> kStripeSize{"stripe_size"};
constexpr std::array<std::string_view, 1> kPermissions{"sheaf_file_permissions"};

constexpr std::array kTable{
    HintRow{"cb_buffer_size",
            {},
            Kind::bytes,
            "4194304",
            Changes::at_set_view,
            "Bytes of one aggregator's buffer, and so of one round."},
    HintRow{"cb_nodes",
            {},
            Kind::count,
            "0",
            Changes::at_set_view,
            "Number of aggregators; 0 = chosen from nodes, cores and bytes."},
    HintRow{"file_perm", kPermissions, Kind::word, "0666", Changes::at_open,
            "Permissions of a new file, octal, before the umask."},
    HintRow{"ind_rd_buffer_size",
            {},
            Kind::bytes,
            "4194304",
            Changes::any_time,
            "Bytes of the buffer that data sieving reads through."},
    HintRow{"romio_cb_read", kCbRead, Kind::switched, "automatic", Changes::at_set_view,
            "enable = collective reads go through aggregators; disable = each rank reads its own."},
    HintRow{
        "romio_cb_write", kCbWrite, Kind::switched, "automatic", Changes::at_set_view,
        "enable = collective writes go through aggregators; disable = each rank writes its own."},
    HintRow{"romio_ds_read", kDsRead, Kind::switched, "automatic", Changes::any_time,
            "Data sieving of independent noncontiguous reads."},
    HintRow{"sheaf_fbtl", {}, Kind::word, "auto", Changes::at_open, "Byte transfer component."},
    HintRow{"sheaf_fcoll",
            {},
            Kind::word,
            "auto",
            Changes::at_set_view,
            "Collective algorithm: individual, two_phase."},
    HintRow{
        "sheaf_foreign_writers",
        {},
        Kind::boolean,
        "false",
        Changes::at_set_view,
        "true = others may write into the holes of this file's views meanwhile: holes are never "
        "read back and rewritten."},
    HintRow{"sheaf_fs", {}, Kind::word, "auto", Changes::at_open, "File system component."},
    HintRow{"striping_unit", kStripeSize, Kind::bytes, "0", Changes::at_open,
            "Stripe size in bytes; file domains are aligned to it. 0 = what the file system says."},
};

}  // namespace

std::span<const HintRow> hint_table() {
    return kTable;
}

const HintRow* find_hint(std::string_view name) {
    const auto row = std::ranges::find_if(kTable, [&](const HintRow& candidate) {
        return candidate.name == name ||
               std::ranges::find(candidate.aliases, name) != candidate.aliases.end();
    });
    SHEAF_ASSERT(row == kTable.end() || row->name.size() <= 31);
    return row == kTable.end() ? nullptr : &*row;
}

}  // namespace sheaf::hints
