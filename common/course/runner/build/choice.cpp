// SPDX-License-Identifier: MIT
#include "build/choice.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "base/machine.h"
#include "base/terminal.h"

namespace d2l::runner {

namespace {

/// "12.4" for CUDA's 12040.
std::string dotted(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

std::string visible(int gpus) { return fmt::format("{} GPU{} visible", gpus, gpus == 1 ? " is" : "s are"); }

}  // namespace

Choice choose(bool cuda) {
  const auto [gpus, driver_cuda] = physical_gpus();
  const auto compiler = cuda_compiler();
  const bool toolkit = !compiler.empty();
  if (cuda && !toolkit) {
    throw Stop(
        wrong_usage,
        "--cuda needs the CUDA toolkit, and there is no CUDA toolkit: no nvcc in PATH or in /usr/local/cuda."
        "\nInstall it (developer.nvidia.com/cuda-downloads) or build without --cuda: virtual GPUs do not need it.");
  }
  if (gpus == 0) return {cuda ? "cuda" : "cpu", 0, ""};
  if (!toolkit) {
    return {"cpu", 0,
            fmt::format("{}, but there is no CUDA toolkit to build with: install it "
                        "(developer.nvidia.com/cuda-downloads) to use {}.",
                        visible(gpus), gpus == 1 ? "it" : "them")};
  }
  // A driver runs the programs of every toolkit of its major version.
  const int built_with = cuda_version_of(compiler);
  if (driver_cuda / 1000 >= built_with / 1000) return {"cuda", gpus, ""};
  return {cuda ? "cuda" : "cpu", 0,
          fmt::format("{}, but the driver supports CUDA up to {} and the toolkit is CUDA {}: update the driver, or "
                      "install an older toolkit.",
                      visible(gpus), dotted(driver_cuda), dotted(built_with))};
}

bool uses_card(const Choice& choice) {
  const char* const text = std::getenv("D2L_VIRTUAL_GPUS");
  const std::string_view wanted = text == nullptr ? "" : text;
  const bool in_host_memory = wanted.find("@host") != std::string_view::npos || wanted == "0";
  return choice.preset == "cuda" && choice.physical_gpus > 0 && !in_host_memory;
}

std::string preset_of_kernels(const Choice& choice, bool announce) {
  const bool card = uses_card(choice);
  if (announce) {
    say(card ? "Kernels are compiled by nvcc and run on the card."
             : "Kernels run in the CUDA emulator, on virtual GPUs.");
  }
  return card ? "cuda" : "cpu";
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
