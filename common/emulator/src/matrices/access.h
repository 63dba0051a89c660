// SPDX-License-Identifier: MIT
// What the functions for matrices tell the checks and the counts, where one access is checked as another is counted.
#pragma once

#include <cstddef>

#include "checks/access.h"
#include "execution/run_kernel.h"

namespace d2l::emulator {

/// True if the running launch is checked.
bool is_checked() noexcept;
/// Checks an access of the running thread. It may end the thread.
void check_access(const void* address, std::size_t bytes, AccessKind kind, const void* caller);
/// Counts an access of the running thread.
void count_access(const void* address, std::size_t bytes, AccessKind kind, const void* caller);
/// Reports a wrong argument, if the launch is checked.
void report_wrong_argument(FaultKind fault, const char* kind, const char* detail, const void* caller);
/// The same, and ends the thread.
void stop_at_wrong_argument(FaultKind fault, const char* kind, const char* detail, const void* caller);

}  // namespace d2l::emulator
