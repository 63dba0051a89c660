// SPDX-License-Identifier: MIT
// What is wrong with a fetch or with an access of a surface.
#pragma once

#include <string>

#include "d2l_emulator/language.h"
#include "execution/run_kernel.h"

namespace d2l::emulator {

/// A call of a kernel, for reports.
struct TextureCall {
  const char* name;
  Place place;
  const void* caller;
};

/// Ends the running thread after a report, or, without checks, the kernel.
[[noreturn]] void refuse_call(const TextureCall& call, FaultKind fault, const char* kind, std::string detail);

}  // namespace d2l::emulator
