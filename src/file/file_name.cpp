// SPDX-License-Identifier: BSD-3-Clause
#include "file/file_name.h"

#include <algorithm>
#include <array>

#include "base/assert.h"

namespace sheaf {

namespace {

struct PrefixRow {
    std::string_view prefix;
    bool chooses;  // Selects a component of its own.
};

constexpr std::array kPrefixes{
    PrefixRow{"memory", true},  PrefixRow{"ufs", false},   PrefixRow{"nfs", false},
    PrefixRow{"lustre", false}, PrefixRow{"gpfs", false},  PrefixRow{"xfs", false},
    PrefixRow{"panfs", false},  PrefixRow{"pvfs2", false}, PrefixRow{"testfs", false},
    PrefixRow{"posix", false},
};

}  // namespace

FileName parse_file_name(std::string_view name) {
    const auto colon = name.find(':');
    if (colon == std::string_view::npos) return {{}, std::string(name)};
    const auto* row = std::ranges::find(kPrefixes, name.substr(0, colon), &PrefixRow::prefix);
    if (row == kPrefixes.end()) return {{}, std::string(name)};
    SHEAF_ASSERT(!row->prefix.empty());
    return {row->chooses ? std::string(row->prefix) : std::string(),
            std::string(name.substr(colon + 1))};
}

}  // namespace sheaf
