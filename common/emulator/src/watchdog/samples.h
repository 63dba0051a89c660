// SPDX-License-Identifier: MIT
// where_it_stays(): the thread of a kernel that runs, and its loop.
#pragma once

#include <pthread.h>

#include <atomic>
#include <string>

namespace d2l::emulator::watchdog {

/// Makes samples possible; without effect if the program uses the signal itself.
void install_sampler();
/// True while a thread of a kernel that lets others run is to call take_sample_at_wait().
extern std::atomic<bool> wants_sample_at_wait;
void take_sample_at_wait() noexcept;
/// Looks several times where this thread of the process is: "block (0, 0, 0), thread (3, 0, 0) is in the loop at
/// x.cu:7". Empty if it cannot be seen. One caller at a time.
std::string where_it_stays(pthread_t thread);

}  // namespace d2l::emulator::watchdog
