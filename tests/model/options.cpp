// SPDX-License-Identifier: BSD-3-Clause
#include "options.h"

#include <cstdlib>
#include <functional>
#include <map>
#include <sstream>

namespace model {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream{text};
    for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
    return parts;
}

bool set_feature(Features& features, const std::string& name) {
    if (name.rfind("fcoll=", 0) == 0) {
        features.fcoll = split(name.substr(6), '+');
        return true;
    }
    const std::map<std::string, std::pair<bool Features::*, bool>> known{
        {"nonblocking", {&Features::nonblocking, true}},
        {"split", {&Features::split, true}},
        {"no-hints", {&Features::hints, false}},
        {"no-errors", {&Features::errors, false}},
        {"large", {&Features::large, true}},
        {"plain-types", {&Features::plain_types, true}}};
    const auto found = known.find(name);
    if (found == known.end()) return false;
    features.*found->second.first = found->second.second;
    return true;
}

bool tolerate(Options& options, const std::string& peer) {
    if (peer != "ompio" && peer != "romio") return false;
    options.tolerated.short_read_count = true;
    options.tolerated.short_read_pointer = true;
    options.tolerated.short_read_memory = true;
    options.features.holes_undefined = true;
    options.tolerated.seek_end = peer == "ompio";
    options.tolerated.refusal_class = peer == "ompio";
    options.features.preallocate_needs_read = peer == "ompio";
    options.features.plain_types = peer == "romio";
    return true;
}

bool set_list(const std::string& text, const std::function<bool(const std::string&)>& set,
              std::string& mistake) {
    for (const std::string& name : split(text, ',')) {
        if (set(name)) continue;
        mistake = "unknown name '" + name + "' in '" + text + "'";
        return false;
    }
    return true;
}

std::vector<int> numbers(const std::string& text) {
    std::vector<int> result;
    for (const std::string& part : split(text, ',')) result.push_back(std::atoi(part.c_str()));
    return result;
}

}  // namespace

const char* const kUsage =
    "usage: model [--programs N] [--first-seed S] [--seed S] [--ranks LIST] [--dir DIR]\n"
    "             [--ops K] [--seconds N] [--watchdog N]\n"
    "             [--features nonblocking,split,no-hints,no-errors,plain-types,large,fcoll=A+B]\n"
    "             [--known-peer-faults ompio|romio]\n"
    "  --seed S runs that one program and prints it.\n";

Options parse_options(int argc, char** argv, std::string& mistake) {
    Options options;
    const char* const temporary = std::getenv("TMPDIR");
    options.dir = temporary != nullptr ? temporary : "/tmp";
    using Setter = std::function<void(const std::string&)>;
    const auto number = [](int& target) {
        return [&target](const std::string& text) { target = std::atoi(text.c_str()); };
    };
    const auto seed = [&](const std::string& text) {
        options.first_seed = std::strtoull(text.c_str(), nullptr, 0);
    };
    const std::map<std::string, Setter> setters{
        {"--programs", number(options.programs)},
        {"--first-seed", seed},
        {"--seed",
         [&](const std::string& text) {
             seed(text);
             options.programs = 1;
             options.listing = true;
         }},
        {"--ranks", [&](const std::string& text) { options.ranks = numbers(text); }},
        {"--dir", [&](const std::string& text) { options.dir = text; }},
        {"--ops", number(options.ops)},
        {"--seconds", number(options.seconds)},
        {"--watchdog", number(options.watchdog_seconds)},
        {"--features",
         [&](const std::string& text) {
             set_list(
                 text, [&](const auto& name) { return set_feature(options.features, name); },
                 mistake);
         }},
        {"--known-peer-faults", [&](const std::string& text) {
             set_list(
                 text, [&](const auto& name) { return tolerate(options, name); }, mistake);
         }}};
    for (int i = 1; i < argc; i += 2) {
        const auto setter = setters.find(argv[i]);
        if (setter == setters.end() || i + 1 == argc) {
            mistake = std::string{"cannot make sense of '"} + argv[i] + "'";
            return options;
        }
        setter->second(argv[i + 1]);
    }
    return options;
}

}  // namespace model
