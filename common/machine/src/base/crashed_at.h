// SPDX-License-Identifier: MIT
// For handlers of signals: the instruction that crashed.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace d2l::detail {

/// The address of the instruction that crashed, from the third argument of a handler; 0 on a processor whose registers
/// are not known here.
inline std::uintptr_t crashed_at([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#else
  return 0;
#endif
}

}  // namespace d2l::detail
