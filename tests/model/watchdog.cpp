// SPDX-License-Identifier: BSD-3-Clause
#include "watchdog.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>

namespace model {
namespace {

constexpr unsigned kOthersMayPrint_s = 3;
constexpr int kExitHung = 124;

unsigned limit_s = 0;
std::array<char, 1000> place{};
volatile std::sig_atomic_t place_length = 0;

void write_all(const char* text, std::size_t length) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, length);
}

extern "C" void on_alarm(int) {
    write_all(place.data(), static_cast<std::size_t>(place_length));
    // The first rank to exit takes the job down; the others get time to say where they are.
    sleep(kOthersMayPrint_s);
    _exit(kExitHung);
}

}  // namespace

void start_watchdog(int seconds) {
    limit_s = static_cast<unsigned>(seconds);
    std::signal(SIGALRM, on_alarm);
}

void note_step(const std::string& text) {
    alarm(0);
    const std::string line = "HUNG " + text.substr(0, place.size() - 8) + "\n";
    std::copy(line.begin(), line.end(), place.begin());
    place_length = static_cast<std::sig_atomic_t>(line.size());
    alarm(limit_s);
}

void pause_watchdog() {
    alarm(0);
}

}  // namespace model
