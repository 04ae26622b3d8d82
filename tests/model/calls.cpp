// SPDX-License-Identifier: BSD-3-Clause
#include "calls.h"

#include <dlfcn.h>

#include <map>
#include <string>

namespace model {
namespace {

/// The function `name`, or null. Remembered, since looking up is slow.
void* find(const std::string& name) {
    static std::map<std::string, void*> known;
    const auto [place, is_new] = known.try_emplace(name, nullptr);
    if (is_new) place->second = dlsym(RTLD_DEFAULT, name.c_str());
    return place->second;
}

template <class... Arguments>
int invoke(void* function, Arguments... arguments) {
    using Function = int (*)(Arguments...);
    return reinterpret_cast<Function>(function)(arguments...);
}

std::string base_name(const Step& step, const Action& action) {
    std::string name = "MPI_File_";
    if (step.flavor == Flavor::nonblocking) name += "i";
    name += action.direction == Direction::write ? "write" : "read";
    if (step.positioning == Positioning::explicit_offset) name += "_at";
    if (step.collective) name += "_all";
    return name;
}

/// One call with `count` of type int or MPI_Count; `last` is the status or the request.
template <class Count, class... Last>
int start(void* function, MPI_File file, const Step& step, const Action& action, Memory memory,
          Last... last) {
    const auto count = static_cast<Count>(action.count);
    if (step.positioning == Positioning::individual)
        return invoke(function, file, memory.address, count, memory.type, last...);
    const auto offset = static_cast<MPI_Offset>(action.offset);
    return invoke(function, file, offset, memory.address, count, memory.type, last...);
}

template <class... Last>
int start_by_name(const std::string& name, MPI_File file, const Step& step, const Action& action,
                  Memory memory, Last... last) {
    void* const large = action.large_count ? find(name + "_c") : nullptr;
    if (large != nullptr) return start<MPI_Count>(large, file, step, action, memory, last...);
    void* const plain = find(name);
    if (plain == nullptr) return MPI_ERR_UNSUPPORTED_OPERATION;
    return start<int>(plain, file, step, action, memory, last...);
}

}  // namespace

int make_call(MPI_File file, const Step& step, const Action& action, Memory memory,
              MPI_Status* status) {
    const std::string name = base_name(step, action);
    if (step.flavor == Flavor::blocking)
        return start_by_name(name, file, step, action, memory, status);
    if (step.flavor == Flavor::nonblocking) {
        MPI_Request request = MPI_REQUEST_NULL;
        const int started = start_by_name(name, file, step, action, memory, &request);
        const int waited = MPI_Wait(&request, status);
        return started != MPI_SUCCESS ? started : waited;
    }
    const int begun = start_by_name(name + "_begin", file, step, action, memory);
    const int ended = invoke(find(name + "_end"), file, memory.address, status);
    return begun != MPI_SUCCESS ? begun : ended;
}

}  // namespace model
