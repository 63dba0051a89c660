// SPDX-License-Identifier: MIT
// Machine: the virtual GPUs that the CUDA runtime shows to a program.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "backend/virtual_gpu/virtual_gpu.h"

namespace d2l::emulator {

class Machine {
 public:
  virtual ~Machine() = default;
  /// All devices, by their numbers. They live as long as the process.
  [[nodiscard]] virtual const backend::VirtualGpu::All& gpus() = 0;
  [[nodiscard]] virtual bool peer_access(int device, int peer) = 0;
  [[nodiscard]] virtual std::string name(int device) {
    return gpus().at(static_cast<std::size_t>(device))->properties().name;
  }
};

/// The machine of this process.
Machine& machine();

// A build has one of the folders virtual_gpus and emulated_cards, which define the following.

/// The virtual GPUs of the library; in a build with D2L_CUDA=EMULATED, cards for its CUDA backend.
std::unique_ptr<Machine> make_machine();
/// True if the library's CUDA backend uses this runtime. It records its work itself, its kernels are not instrumented,
/// and the host must not use its cards, although the library includes Thrust's headers.
[[nodiscard]] bool serves_library() noexcept;

/// True if the runtime has to record its work in the ledger.
[[nodiscard]] bool ledger_is_open();

}  // namespace d2l::emulator
