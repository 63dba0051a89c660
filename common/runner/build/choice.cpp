// SPDX-License-Identifier: MIT
// Chooses a build by the GPUs and the toolkit that are here.
#include "build/choice.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "base/machine.h"

namespace d2l::runner {

Choice choose(bool cuda) {
  const int gpus = physical_gpus();
  const bool toolkit = !cuda_compiler().empty();
  if (cuda && !toolkit) {
    throw Stop(
        wrong_usage,
        "--cuda asks for a build with CUDA, and there is no CUDA toolkit: no nvcc along PATH or in /usr/local/cuda."
        "\nInstall it (developer.nvidia.com/cuda-downloads) or go without: virtual GPUs need none.");
  }
  if (cuda || (gpus > 0 && toolkit)) return {"cuda", gpus, ""};
  if (gpus == 0) return {"cpu", 0, ""};
  return {"cpu", 0,
          fmt::format("{} GPU{} visible, but there is no CUDA toolkit to build with: install it "
                      "(developer.nvidia.com/cuda-downloads) to use {}.",
                      gpus, gpus == 1 ? " is" : "s are", gpus == 1 ? "it" : "them")};
}

void ensure_two_gpus(const Choice& choice) {
  const char* chosen = std::getenv("D2L_VIRTUAL_GPUS");
  if ((chosen != nullptr && *chosen != '\0') || choice.physical_gpus >= 2) return;
  setenv("D2L_VIRTUAL_GPUS", "2", 1);
  const char* found =
      choice.physical_gpus == 1 ? "One GPU here; two virtual ones share it" : "No GPU here; two virtual ones stand in";
  fmt::print("{} (D2L_VIRTUAL_GPUS=2).\n",
             choice.remark.empty() ? found : choice.remark + " Two virtual GPUs stand in");
}

}  // namespace d2l::runner
