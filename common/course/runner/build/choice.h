// SPDX-License-Identifier: MIT
// Chooses the preset and the GPUs.
#pragma once

#include <string>

namespace d2l::runner {

/// The preset for this machine.
struct Choice {
  std::string preset;     ///< "cpu" or "cuda"
  int physical_gpus = 0;  ///< those that the preset can use
  std::string remark;     ///< why a visible GPU is not used; may be empty
};

/// The CUDA build when a GPU is visible and the toolkit is installed, or when `cuda` asks for it. Stop when `cuda` asks
/// for it and there is no toolkit.
Choice choose(bool cuda);
/// True if .cu programs run on a card: this machine has one and the toolkit, and the user did not ask for virtual GPUs
/// in host memory, or for none.
bool uses_card(const Choice& choice);
/// The preset that builds .cu programs: "cpu" has them with the emulator, "cuda" with nvcc. With `announce` it prints
/// which, as the first line.
std::string preset_of_kernels(const Choice& choice, bool announce = true);
/// Sets D2L_VIRTUAL_GPUS to two and prints so, when there are fewer than two physical GPUs and the user has not set it.
void ensure_two_gpus(const Choice& choice);

}  // namespace d2l::runner
