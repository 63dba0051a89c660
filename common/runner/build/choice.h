// SPDX-License-Identifier: MIT
// Which build and which GPUs are used here.
#pragma once

#include <string>

namespace d2l::runner {

/// What can be built and used here.
struct Choice {
  std::string preset;     ///< "cpu" or "cuda"
  int physical_gpus = 0;  ///< those that the preset can use
  std::string remark;     ///< what stands in the way of a visible GPU, if anything does
};

/// The CUDA build where a GPU is visible and the toolkit is there, or `cuda` asks for it; Stop if that cannot be.
Choice choose(bool cuda);
/// With fewer than two physical GPUs, and unless the user has chosen, two virtual ones stand in; says so.
void ensure_two_gpus(const Choice& choice);

}  // namespace d2l::runner
