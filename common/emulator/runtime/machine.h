// SPDX-License-Identifier: MIT
// Machine: the virtual GPUs that the CUDA runtime shows to a program.
#pragma once

#include <cstddef>
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
  /// False if a backend that uses the runtime records its work in the ledger, so that the runtime must not.
  [[nodiscard]] virtual bool records_work() const { return true; }
};

/// The machine of this process: the virtual GPUs of the library, unless set_machine() gave another one.
Machine& machine();
/// For tests, before the first use of the runtime.
void set_machine(Machine& other);

/// True if the runtime has to record its work in the ledger.
[[nodiscard]] bool ledger_is_open();

}  // namespace d2l::emulator
