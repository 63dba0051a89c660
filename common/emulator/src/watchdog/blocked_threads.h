// SPDX-License-Identifier: MIT
// others_are_blocked(): whether another thread of the process can go on by itself.
#pragma once

#include <sys/types.h>

namespace d2l::emulator::watchdog {

/// True if all threads of the process but this one and `ignored` wait without a time limit for another thread to wake
/// them. False if that cannot be seen: one runs, sleeps or reads a file, or the system does not tell.
bool others_are_blocked(pid_t ignored);

}  // namespace d2l::emulator::watchdog
