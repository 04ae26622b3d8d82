// SPDX-License-Identifier: BSD-3-Clause
#include "abi/verbose.h"

#include <fmt/format.h>

#include <string>

#include "base/assert.h"
#include "platform/console.h"
#include "platform/environment.h"

namespace sheaf::abi {

namespace {

bool verbose() {
    static const bool asked = platform::environment("SHEAF_VERBOSE").value_or("0") != "0";
    return asked;
}

}  // namespace

void say_choices(File& file, std::string_view event) {
    if (!verbose() || file.communicator().rank() != Rank{0}) return;
    SHEAF_ASSERT(!file.choices().empty());
    std::string text =
        fmt::format("{} {} on {} ranks\n", event, file.path(), file.communicator().size());
    for (const Choice& choice : file.choices()) {
        text += fmt::format("  {}: {} ({})\n", choice.framework, choice.component, choice.reason);
    }
    for (const hints::Report& hint : file.hints().reports()) {
        text += fmt::format("  hint {} = {} from {}: {}", hint.name, hint.value, hint.source,
                            hints::name_of(hint.fate));
        text += hint.reason.empty() ? "\n" : fmt::format(" ({})\n", hint.reason);
    }
    platform::say(text);
}

}  // namespace sheaf::abi
