// SPDX-License-Identifier: MIT
// Errors of calls and launches that the program does not look at: they are reported when the process ends.
#pragma once

#include <string>

#include "calls/call_site.h"
#include "d2l_emulator/runtime_types.h"

namespace d2l::emulator {

/// A call of the runtime, or a launch, begins on this thread. `result_unused`: the program does not use what it
/// returns.
void begin_call(const CallSite& site, bool result_unused);
/// Why the call that runs on this thread is about to fail, and what to do: for the report of its error.
void explain_failure(std::string why);
/// The same for a mistake that the error does not tell: also says it at once, or with --check when the program reads
/// the error.
void explain_at_once(const std::string& what, std::string why);
/// The call that runs on this thread fails.
void note_failed_call(cudaError_t error);
/// A launch of this kernel fails.
void note_failed_launch(const CallSite& site, const std::string& kernel, cudaError_t error);
/// Why a symbol is refused.
extern const char* const no_symbol;
/// The program gets the last error, or asks for the name of one.
void note_read_error(cudaError_t error, const CallSite& site);

/// The reports, a line each; `code` is the exit code of the program.
std::string unread_errors(int code);

}  // namespace d2l::emulator
