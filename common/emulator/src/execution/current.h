// SPDX-License-Identifier: MIT
// The variables of this thread of the process that a kernel's code and the hooks of the instrumentation read.
#pragma once

#include <cstdint>

#include "d2l_emulator/thread_loop.h"

namespace d2l::emulator {

class Worker;

struct Current {
  Worker* worker;  ///< null unless this thread runs a kernel
  std::uintptr_t stack_low;
  bool own_code;      ///< the emulator runs on the kernel's stack: what it allocates and accesses is not the kernel's
  bool instrumented;  ///< the running launch is checked or counted
};
extern __thread Current current_state asm("d2l_emulator_current") __attribute__((tls_model("initial-exec")));

/// In this scope the emulator runs.
class OwnCode {
 public:
  OwnCode() noexcept : before_(current_state.own_code) { current_state.own_code = true; }
  ~OwnCode() { current_state.own_code = before_; }
  OwnCode(const OwnCode&) = delete;
  OwnCode& operator=(const OwnCode&) = delete;

 private:
  bool before_;
};

// The variables behind threadIdx and its kin, which are constant only for the kernel.
extern __thread ThreadIndex current_thread_index asm("d2l_emulator_thread_index")
    __attribute__((tls_model("initial-exec")));
extern __thread uint3 current_block_index asm("d2l_emulator_block_index") __attribute__((tls_model("initial-exec")));
extern __thread uint3 current_block_size asm("d2l_emulator_block_size") __attribute__((tls_model("initial-exec")));
extern __thread uint3 current_grid_size asm("d2l_emulator_grid_size") __attribute__((tls_model("initial-exec")));

/// The number in its block of the thread that runs.
inline unsigned running_number() noexcept {
  const ThreadIndex& index = current_thread_index;
  return index.x + current_block_size.x * (index.y + current_block_size.y * index.z);
}

}  // namespace d2l::emulator
