// SPDX-License-Identifier: MIT
#include "build/choice.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "base/machine.h"
#include "base/terminal.h"

namespace d2l::runner {

Choice choose(bool cuda) {
  const int gpus = physical_gpus();
  const bool toolkit = !cuda_compiler().empty();
  if (cuda && !toolkit) {
    throw Stop(
        wrong_usage,
        "--cuda needs the CUDA toolkit, and there is no CUDA toolkit: no nvcc in PATH or in /usr/local/cuda."
        "\nInstall it (developer.nvidia.com/cuda-downloads) or build without --cuda: virtual GPUs do not need it.");
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
  const char* found = choice.physical_gpus == 1 ? "This machine has one GPU: two virtual GPUs share it"
                                                : "This machine has no GPU: two virtual GPUs are used";
  say(fmt::format("{} (D2L_VIRTUAL_GPUS=2).",
                  choice.remark.empty() ? found : choice.remark + " Two virtual GPUs are used"));
}

}  // namespace d2l::runner
