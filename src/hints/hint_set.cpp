// SPDX-License-Identifier: BSD-3-Clause
#include "hints/hint_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <limits>

#include "base/assert.h"

namespace sheaf::hints {

namespace {

constexpr std::size_t kLongestValue = 255;
constexpr std::array<std::string_view, 5> kTrue{"true", "enable", "yes", "on", "1"};
constexpr std::array<std::string_view, 5> kFalse{"false", "disable", "no", "off", "0"};

std::string lowered(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

bool contains(const auto& names, std::string_view name) {
    return std::ranges::find(names, name) != std::end(names);
}

std::int64_t suffix_factor(std::string_view suffix) {
    if (suffix.empty()) return 1;
    if (suffix == "k") return std::int64_t{1} << 10;
    if (suffix == "m") return std::int64_t{1} << 20;
    if (suffix == "g") return std::int64_t{1} << 30;
    return 0;
}

Result<std::string> normalise_number(std::string_view text, bool suffix_allowed) {
    std::int64_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view suffix(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
    const std::int64_t factor = suffix_allowed || suffix.empty() ? suffix_factor(suffix) : 0;
    if (error != std::errc{} || factor == 0 || number < 0 ||
        number > std::numeric_limits<std::int64_t>::max() / factor) {
        return Status{Code::info, suffix_allowed ? "not a size: digits with an optional k, m or g"
                                                 : "not a count: digits only"};
    }
    return std::to_string(number * factor);
}

std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return hash;
}

}  // namespace

std::string_view name_of(Fate fate) {
    constexpr std::array<std::string_view, 5> names{"used", "rejected", "unknown", "too late",
                                                    "overruled"};
    return names[static_cast<std::size_t>(fate)];
}

Result<std::string> normalise(const HintRow& row, std::string_view value) {
    if (value.size() > kLongestValue) return Status{Code::info, "longer than 255 characters"};
    const std::string text = lowered(value);
    switch (row.kind) {
        case Kind::boolean:
            if (contains(kTrue, text)) return std::string("true");
            if (contains(kFalse, text)) return std::string("false");
            return Status{Code::info, "accepted are true and false"};
        case Kind::switched:
            if (text == "automatic" || text == "auto") return std::string("automatic");
            if (contains(kTrue, text)) return std::string("enable");
            if (contains(kFalse, text)) return std::string("disable");
            return Status{Code::info, "accepted are enable, disable and automatic"};
        case Kind::bytes:
            return normalise_number(text, true);
        case Kind::count:
            return normalise_number(text, false);
        case Kind::word:
            // Values travel and are reported line by line.
            if (value.find('\n') == std::string_view::npos) return std::string(value);
            return Status{Code::info, "a line break is not accepted"};
    }
    return Status{Code::internal, "hint kind"};
}

HintSet::HintSet() {
    for (const HintRow& row : hint_table()) values_.emplace(row.name, row.fallback);
}

void HintSet::set(const std::vector<Given>& given, std::string_view source, Changes since) {
    for (const Given& hint : given) {
        Report report{hint.name, hint.value, std::string(source), Fate::used, {}};
        const HintRow* row = find_hint(hint.name);
        if (row == nullptr) {
            report.fate = Fate::unknown;
            report.reason = "no such hint";
        } else if (auto value = normalise(*row, hint.value); !value.ok()) {
            report.fate = Fate::rejected;
            report.reason = value.status().text();
        } else if (forced_.contains(row->name)) {
            report.fate = Fate::overruled;
            report.reason = "SHEAF_HINTS_FORCE has the last word";
        } else if (since > row->changes && *value != values_.find(row->name)->second) {
            report.fate = Fate::too_late;
            report.reason = "cannot change any more";
        } else {
            values_.find(row->name)->second = *value;
        }
        reports_.push_back(std::move(report));
    }
}

void HintSet::reject_source(std::string source, std::string reason) {
    reports_.push_back({{}, {}, std::move(source), Fate::rejected, std::move(reason)});
}

void HintSet::force(const std::vector<Given>& given, std::string_view source) {
    const std::size_t first = reports_.size();
    set(given, source, Changes::at_open);
    for (std::size_t i = first; i < reports_.size(); ++i) {
        if (reports_[i].fate == Fate::used) forced_.emplace(find_hint(reports_[i].name)->name);
    }
}

std::string HintSet::word(std::string_view name) const {
    const auto entry = values_.find(name);
    SHEAF_ASSERT(entry != values_.end());
    return entry->second;
}

std::int64_t HintSet::number(std::string_view name) const {
    const std::string text = word(name);
    std::int64_t value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    SHEAF_ASSERT(error == std::errc{} && rest == text.data() + text.size());
    return value;
}

bool HintSet::enabled(std::string_view name) const {
    return word(name) == "true";
}

int HintSet::switched(std::string_view name) const {
    const std::string text = word(name);
    return text == "enable" ? 1 : text == "disable" ? -1 : 0;
}

std::uint64_t HintSet::fingerprint() const {
    return fnv1a(encode());
}

std::string HintSet::encode() const {
    std::string text;
    for (const auto& [name, value] : values_) text += fmt::format("{} {}\n", name, value);
    return text;
}

void HintSet::decode(std::string_view encoded) {
    while (!encoded.empty()) {
        const std::string_view line = encoded.substr(0, encoded.find('\n'));
        encoded.remove_prefix(std::min(encoded.size(), line.size() + 1));
        const auto blank = line.find(' ');
        SHEAF_ASSERT(blank != std::string_view::npos);
        const auto entry = values_.find(line.substr(0, blank));
        SHEAF_ASSERT(entry != values_.end());
        entry->second = line.substr(blank + 1);
    }
}

Result<std::vector<Given>> read_hint_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) return Status{Code::info, fmt::format("hint file {} cannot be read", path)};
    std::vector<Given> hints;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        const std::string_view blanks = " \t\r";
        const auto begin = line.find_first_not_of(blanks);
        if (begin == std::string::npos || line[begin] == '#') continue;
        const auto name_end = line.find_first_of(blanks, begin);
        const auto value =
            name_end == std::string::npos ? name_end : line.find_first_not_of(blanks, name_end);
        if (value == std::string::npos) {
            return Status{Code::info, fmt::format("{}:{}: expected `name value`", path, number)};
        }
        const auto value_end = line.find_last_not_of(blanks);
        hints.push_back(
            {line.substr(begin, name_end - begin), line.substr(value, value_end + 1 - value)});
    }
    return hints;
}

}  // namespace sheaf::hints
