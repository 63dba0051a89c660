// SPDX-License-Identifier: MIT
// Why calls and launches fail, and how to repair them: for the reports of errors that a program does not look at.
#pragma once

#include <cstddef>
#include <string>

#include "d2l_emulator/launch.h"
#include "execution/allocation_table.h"

namespace d2l::emulator {

/// Of a launch that its configuration makes impossible; `max_shared` is the limit of its dynamic shared memory.
std::string why_refused(const Configuration& configuration, std::size_t max_shared);
/// Of a cooperative launch with more blocks than any card holds at once; empty if there is one that holds them. A
/// virtual GPU has one multiprocessor, and takes what a card can.
std::string why_not_cooperative(const Configuration& configuration);
/// Of a free by `call` of an address; `found` contains it, or is null.
std::string why_not_freed(const void* address, const Allocation* found, const char* call);
/// Of a use of `bytes` bytes from an offset in an allocation that ends before them.
std::string why_outside(const Allocation& memory, std::size_t offset, std::size_t bytes);

/// Of the record of an event of one device in a stream of another.
std::string why_not_recorded(int event, int stream);
/// Of the time between events of two devices.
std::string why_no_time(int start, int stop);
/// What to write so that a kernel on one device can use the memory of another.
std::string how_to_reach(int memory, int device);

}  // namespace d2l::emulator
