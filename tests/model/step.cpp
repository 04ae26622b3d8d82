// SPDX-License-Identifier: BSD-3-Clause
#include "step.h"

#include <array>

namespace model {
namespace {

const char* kind_name(StepKind kind) {
    constexpr std::array<const char*, 14> kNames{
        "open",     "refused open",   "close", "set_view",         "get_view",
        "access",   "refused access", "seek",  "byte_offset",      "get_size",
        "set_size", "preallocate",    "sync",  "sync-barrier-sync"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string describe(const OpenMode& mode) {
    std::string text = mode.reads && mode.writes ? "RDWR" : mode.writes ? "WRONLY" : "RDONLY";
    if (mode.creates) text += "|CREATE";
    if (mode.exclusive) text += "|EXCL";
    if (mode.appends) text += "|APPEND";
    if (mode.deletes) text += "|DELETE_ON_CLOSE";
    if (mode.unique) text += "|UNIQUE_OPEN";
    return text;
}

std::string call_name(const Step& step, const Action& action) {
    std::string name = step.flavor == Flavor::nonblocking ? "i" : "";
    name += action.direction == Direction::write ? "write" : "read";
    if (step.positioning == Positioning::explicit_offset) name += "_at";
    if (step.collective) name += "_all";
    if (step.flavor == Flavor::split) name += "_begin/_end";
    if (action.large_count) name += "_c";
    return name;
}

std::string describe_access(const Step& step, const Action& action) {
    if (action.idle) return "nothing";
    std::string text = call_name(step, action) + " at etype " + std::to_string(action.offset) +
                       ", " + std::to_string(action.count) + " x " + describe(*action.memory);
    if (action.absolute) text += " at MPI_BOTTOM";
    text += ", transfers " + std::to_string(action.transferred) + " bytes";
    if (!action.runs.empty())
        text += " of [" + std::to_string(action.runs.front().begin) + ", " +
                std::to_string(action.runs.back().end()) + ")";
    return text;
}

std::string describe_seek(const Action& action) {
    constexpr std::array<const char*, 3> kWhence{"SET", "CUR", "END"};
    return std::string{"seek "} + kWhence[static_cast<std::size_t>(action.whence)] + " " +
           std::to_string(action.offset) + ", then at " + std::to_string(action.position);
}

std::string describe_view(const View& view) {
    return "view disp " + std::to_string(view.displacement) + " etype " + describe(*view.etype) +
           " filetype " + describe(*view.filetype) + " (size " +
           std::to_string(view.filetype->size) + ", extent " +
           std::to_string(view.filetype->extent()) + ")";
}

std::string describe_rank(const Step& step, std::size_t rank) {
    switch (step.kind) {
        case StepKind::set_view:
            return describe_view(step.views[rank]);
        case StepKind::access:
        case StepKind::refused_access:
            return describe_access(step, step.actions[rank]);
        case StepKind::seek:
            return describe_seek(step.actions[rank]);
        case StepKind::byte_offset:
            return "byte offset of etype " + std::to_string(step.actions[rank].offset) + " is " +
                   std::to_string(step.actions[rank].position);
        default:
            return "";
    }
}

std::string describe_head(const Step& step) {
    std::string text = kind_name(step.kind);
    if (step.kind == StepKind::open || step.kind == StepKind::refused_open)
        text += " " + describe(step.mode);
    for (const auto& [key, value] : step.hints) text += " " + key + "=" + value;
    if (step.kind == StepKind::set_size || step.kind == StepKind::preallocate ||
        step.kind == StepKind::get_size)
        text += " " + std::to_string(step.size);
    if (step.equal_bytes) text += " (equal bytes)";
    return text;
}

}  // namespace

std::string describe(const Step& step) {
    std::string text = describe_head(step) + "\n";
    const std::size_t ranks = std::max(step.views.size(), step.actions.size());
    for (std::size_t rank = 0; rank < ranks; ++rank)
        text += "      rank " + std::to_string(rank) + ": " + describe_rank(step, rank) + "\n";
    return text;
}

std::string describe(const Step& step, int rank) {
    std::string text = describe_head(step);
    const std::string own = describe_rank(step, static_cast<std::size_t>(rank));
    return own.empty() ? text : text + ": " + own;
}

}  // namespace model
