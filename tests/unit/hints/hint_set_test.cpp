// SPDX-License-Identifier: BSD-3-Clause
#include "hints/hint_set.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "support/bytes.h"
#include "support/scratch.h"

namespace sheaf::hints {
namespace {

using testing::failed_with;
using testing::Scratch;

/// The value in canonical form, or "-" when it is not accepted.
std::string normalised(Kind kind, std::string_view value) {
    const HintRow row{"x", {}, kind, "", Changes::any_time, ""};
    const auto result = normalise(row, value);
    if (!result.ok()) {
        EXPECT_FALSE(result.status().text().empty());
    }
    return result.ok() ? *result : "-";
}

TEST(HintTable, NamesAreShortAndUnique) {
    std::set<std::string_view> names;
    for (const HintRow& row : hint_table()) {
        EXPECT_LE(row.name.size(), 31U) << row.name;
        EXPECT_FALSE(row.doc.empty()) << row.name;
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        for (const std::string_view alias : row.aliases)
            EXPECT_TRUE(names.insert(alias).second) << alias;
    }
}

TEST(HintTable, FallbacksAreCanonical) {
    for (const HintRow& row : hint_table()) {
        const auto value = normalise(row, row.fallback);
        ASSERT_TRUE(value.ok()) << row.name << ": " << value.status().text();
        EXPECT_EQ(*value, row.fallback) << row.name;
    }
}

TEST(HintTable, FindsNamesAndAliases) {
    for (const HintRow& row : hint_table()) {
        EXPECT_EQ(find_hint(row.name), &row);
        for (const std::string_view alias : row.aliases) EXPECT_EQ(find_hint(alias), &row);
    }
    EXPECT_EQ(find_hint("no_such_hint"), nullptr);
    EXPECT_EQ(find_hint(""), nullptr);
}

TEST(Normalise, Bytes) {
    EXPECT_EQ(normalised(Kind::bytes, "4194304"), "4194304");
    EXPECT_EQ(normalised(Kind::bytes, "4k"), "4096");
    EXPECT_EQ(normalised(Kind::bytes, "4M"), "4194304");
    EXPECT_EQ(normalised(Kind::bytes, "1g"), "1073741824");
    EXPECT_EQ(normalised(Kind::bytes, "9223372036854775807"), "9223372036854775807");
    for (const auto* bad : {"", "k", "-1", "+1", "1.5", "4mb", "4 m", " 4", "4 ", "0x10", "four",
                            "9223372036854775808", "9007199254740992k"}) {
        EXPECT_EQ(normalised(Kind::bytes, bad), "-") << bad;
    }
}

TEST(Normalise, Counts) {
    EXPECT_EQ(normalised(Kind::count, "16"), "16");
    for (const auto* bad : {"", "4k", "-1", "1.0"}) EXPECT_EQ(normalised(Kind::count, bad), "-");
}

TEST(Normalise, Words) {
    EXPECT_EQ(normalised(Kind::word, "Mixed Case"), "Mixed Case");
    EXPECT_EQ(normalised(Kind::word, std::string(255, 'x')), std::string(255, 'x'));
    EXPECT_EQ(normalised(Kind::word, std::string(256, 'x')), "-");
}

TEST(Normalise, BooleansAndSwitches) {
    for (const auto* yes : {"true", "TRUE", "enable", "yes", "on", "1"}) {
        EXPECT_EQ(normalised(Kind::boolean, yes), "true") << yes;
        EXPECT_EQ(normalised(Kind::switched, yes), "enable") << yes;
    }
    for (const auto* no : {"false", "Disable", "no", "off", "0"}) {
        EXPECT_EQ(normalised(Kind::boolean, no), "false") << no;
        EXPECT_EQ(normalised(Kind::switched, no), "disable") << no;
    }
    EXPECT_EQ(normalised(Kind::switched, "Automatic"), "automatic");
    EXPECT_EQ(normalised(Kind::switched, "auto"), "automatic");
    for (const auto* bad : {"", "2", "maybe", "automatic "}) {
        EXPECT_EQ(normalised(Kind::boolean, bad), "-") << bad;
        EXPECT_EQ(normalised(Kind::switched, bad), "-") << bad;
    }
}

TEST(HintSet, StartsWithTheFallbacks) {
    const HintSet hints;
    for (const HintRow& row : hint_table()) EXPECT_EQ(hints.word(row.name), row.fallback);
    EXPECT_EQ(hints.values().size(), hint_table().size());
    EXPECT_TRUE(hints.reports().empty());
}

TEST(HintSet, TheLastAcceptedValueIsInForce) {
    HintSet hints;
    hints.set({{"cb_buffer_size", "1m"}, {"cb_nodes", "2"}}, "file", Changes::at_open);
    hints.set({{"cb_buffer_size", "2m"}, {"cb_nodes", "many"}}, "info", Changes::at_open);
    EXPECT_EQ(hints.number("cb_buffer_size"), 2 << 20);
    EXPECT_EQ(hints.number("cb_nodes"), 2);
    ASSERT_EQ(hints.reports().size(), 4U);
    EXPECT_EQ(hints.reports()[2].fate, Fate::used);
    EXPECT_EQ(hints.reports()[3].fate, Fate::rejected);
    EXPECT_EQ(hints.reports()[3].source, "info");
    EXPECT_FALSE(hints.reports()[3].reason.empty());
}

TEST(HintSet, AliasesSetTheCanonicalName) {
    HintSet hints;
    hints.set({{"cb_write", "off"}, {"ds_read", "yes"}}, "info", Changes::at_open);
    EXPECT_EQ(hints.switched("romio_cb_write"), -1);
    EXPECT_EQ(hints.switched("romio_ds_read"), 1);
    EXPECT_EQ(hints.switched("romio_cb_read"), 0);
    hints.set({{"sheaf_foreign_writers", "true"}}, "info", Changes::at_open);
    EXPECT_TRUE(hints.enabled("sheaf_foreign_writers"));
}

TEST(HintSet, UnknownAndLateOnesAreReported) {
    HintSet hints;
    hints.set({{"no_such_hint", "1"}, {"striping_unit", "64k"}}, "info", Changes::at_set_view);
    hints.set({{"cb_nodes", "3"}, {"romio_ds_read", "off"}}, "info", Changes::any_time);
    ASSERT_EQ(hints.reports().size(), 4U);
    EXPECT_EQ(hints.reports()[0].fate, Fate::unknown);
    EXPECT_EQ(hints.reports()[1].fate, Fate::too_late);
    EXPECT_EQ(hints.reports()[2].fate, Fate::too_late);
    EXPECT_EQ(hints.reports()[3].fate, Fate::used);
    EXPECT_EQ(hints.number("striping_unit"), 0);
    EXPECT_EQ(hints.number("cb_nodes"), 0);
}

TEST(HintSet, RepeatingALateHintIsNoChange) {
    HintSet hints;
    hints.set({{"striping_unit", "64k"}}, "info", Changes::at_open);
    hints.set({{"striping_unit", "65536"}}, "info", Changes::any_time);
    EXPECT_EQ(hints.reports()[1].fate, Fate::used);
}

TEST(HintSet, FatesHaveNames) {
    EXPECT_EQ(name_of(Fate::used), "used");
    EXPECT_EQ(name_of(Fate::rejected), "rejected");
    EXPECT_EQ(name_of(Fate::unknown), "unknown");
    EXPECT_EQ(name_of(Fate::too_late), "too late");
}

TEST(HintSet, TravelsAsText) {
    HintSet sent;
    sent.set({{"cb_nodes", "7"}, {"sheaf_fs", "a b  c"}, {"sheaf_fbtl", ""}}, "info",
             Changes::at_open);
    HintSet received;
    EXPECT_NE(sent.fingerprint(), received.fingerprint());
    received.decode(sent.encode());
    EXPECT_EQ(received.values(), sent.values());
    EXPECT_EQ(received.fingerprint(), sent.fingerprint());
}

TEST(HintSet, AValueWithALineBreakIsRejected) {
    HintSet sent;
    sent.set({{"sheaf_fs", "posix\ncb_nodes 9"}, {"sheaf_fbtl", "\nx"}}, "info", Changes::at_open);
    EXPECT_EQ(sent.reports()[0].fate, Fate::rejected);
    EXPECT_EQ(sent.reports()[1].fate, Fate::rejected);
    HintSet received;
    received.decode(sent.encode());
    EXPECT_EQ(received.values(), sent.values());
}

TEST(HintFile, ReadsNamesAndValues) {
    const Scratch scratch;
    const auto path = scratch.file("hints",
                                   "# comment\n\n  cb_nodes 4\t\r\nsheaf_fs\tposix\n"
                                   "   # another\nfile_perm   06 40");
    const auto hints = read_hint_file(path);
    ASSERT_TRUE(hints.ok()) << hints.status().text();
    ASSERT_EQ(hints->size(), 3U);
    EXPECT_EQ((*hints)[0].name, "cb_nodes");
    EXPECT_EQ((*hints)[0].value, "4");
    EXPECT_EQ((*hints)[1].value, "posix");
    EXPECT_EQ((*hints)[2].value, "06 40");
}

TEST(HintFile, NamesTheBadLine) {
    const Scratch scratch;
    const auto path = scratch.file("hints", "cb_nodes 4\n\ncb_buffer_size\n");
    const auto hints = read_hint_file(path);
    ASSERT_TRUE(failed_with(Code::info, hints.status()));
    EXPECT_NE(hints.status().text().find(path + ":3"), std::string::npos) << hints.status().text();
}

TEST(HintFile, AFileThatIsNotThere) {
    const Scratch scratch;
    EXPECT_TRUE(failed_with(Code::info, read_hint_file(scratch.path("none")).status()));
    HintSet hints;
    hints.reject_source(scratch.path("none"), "cannot be read");
    EXPECT_EQ(hints.reports().back().fate, Fate::rejected);
}

TEST(HintSet, ForcedHintsHaveTheLastWord) {
    HintSet hints;
    hints.force({{"cb_nodes", "3"}, {"cb_buffer_size", "no size"}}, "SHEAF_HINTS_FORCE");
    hints.set({{"cb_nodes", "5"}, {"cb_buffer_size", "64k"}}, "info", Changes::at_open);
    hints.set({{"cb_nodes", "7"}}, "info", Changes::at_set_view);
    EXPECT_EQ(hints.number("cb_nodes"), 3);
    EXPECT_EQ(hints.number("cb_buffer_size"), 65536) << "a rejected hint forces nothing";
    EXPECT_EQ(hints.reports()[2].fate, Fate::overruled);
    EXPECT_EQ(hints.reports()[4].fate, Fate::overruled);
    EXPECT_EQ(name_of(Fate::overruled), "overruled");
}

}  // namespace
}  // namespace sheaf::hints
