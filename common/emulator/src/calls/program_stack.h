// SPDX-License-Identifier: MIT
// ProgramStack: the lines of the program that lead to where a thread stands.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "checks/source_lines.h"

namespace d2l::emulator {

/// Return addresses. Filled without allocating memory, so that a handler of a signal may do it.
struct ReturnAddresses {
  std::array<void*, 64> all{};
  int count = 0;
};

/// The calls of this thread, the innermost first.
ReturnAddresses calls_of_this_thread() noexcept;
/// The lines of the program's own files among the calls, the innermost first. `instruction`, if not null, is where a
/// signal interrupted the thread: what comes before it is the handler.
std::vector<SourceLine> lines_of_program(const ReturnAddresses& calls, const void* instruction = nullptr);
/// The kernel that the host has called as a function, where a signal interrupted it at `instruction`; empty if there is
/// none.
std::string called_kernel(const ReturnAddresses& calls, const void* instruction);
/// " at x.cu:3, called at x.cu:9" with the innermost lines; empty if there is none.
std::string stack_text(const std::vector<SourceLine>& lines, std::size_t most = 4);

/// ", called at x.cu:9" for the calls that lead to this line of a kernel, where this thread stands; empty if it is in
/// the kernel itself. Calls that the compiler has inlined count, if `addr2line` is installed.
std::string callers_text(const SourceLine& here, const KernelLaunch& launch);
/// The same for a call of the runtime by the host, at this place as text.
std::string callers_text(const ReturnAddresses& calls, const std::string& here);

}  // namespace d2l::emulator
