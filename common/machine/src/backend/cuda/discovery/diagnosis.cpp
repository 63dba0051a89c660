// SPDX-License-Identifier: MIT
// The texts of the diagnosis.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <string>

#include "backend/cuda/discovery/discovery.h"
#include "backend/nvidia_machine.h"

namespace d2l::backend::cuda {
namespace {

std::string dotted(int capability) { return fmt::format("{}.{}", capability / 10, capability % 10); }

std::string without_driver(const Circumstances& now) {
  if (!now.driver.empty()) {
    return fmt::format(
        "The NVIDIA driver {} is loaded, but its library libcuda.so.1 is not found. In a container, start it with "
        "--gpus all; else install the driver again.",
        now.driver);
  }
  if (!now.visible_card.empty()) {
    return fmt::format(
        "An NVIDIA card is visible (PCI {}), but its driver is missing. Install it (on Ubuntu: sudo ubuntu-drivers "
        "install) and restart; nvidia-smi then shows the card.",
        now.visible_card);
  }
  return no_card_diagnosis;
}

std::string with_old_driver(const Circumstances& now) {
  return fmt::format(
      "The driver{} supports CUDA up to {}, but this build was made with CUDA {}. Update the driver, or build with the "
      "toolkit of CUDA {} or older.",
      now.driver.empty() ? std::string() : " " + now.driver, cuda_version_text(now.driver_cuda),
      cuda_version_text(now.toolkit), cuda_version_text(now.driver_cuda));
}

std::string with_unusable_card(const Circumstances& now) {
  const Card& card = now.unusable.front();
  if (!card.has_memory_pools) {
    return fmt::format(
        "{} has no memory pools (cudaMallocAsync), which this library needs. Update the driver; a GPU that a virtual "
        "machine shares may lack them. Virtual GPUs in host memory stand in, with D2L_VIRTUAL_GPUS=2@host.",
        card.properties.name);
  }
  std::string built_for;
  for (const int capability : now.built_for) built_for += (built_for.empty() ? "" : ", ") + dotted(capability);
  const bool older = !now.built_for.empty() && card.capability() < now.built_for.front();
  return fmt::format(
      "{} has compute capability {}, {} this build, which holds code for {}. Build for it: cmake --preset cuda "
      "-DCMAKE_CUDA_ARCHITECTURES={}, with a toolkit that supports it (nvcc --list-gpu-arch).",
      card.properties.name, dotted(card.capability()), older ? "too old for" : "which does not fit", built_for,
      card.capability());
}

}  // namespace

std::string cuda_version_text(int version) {
  return version == 0 ? std::string() : fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string diagnose(const Circumstances& now) {
  if (!now.unusable.empty()) return with_unusable_card(now);
  const bool too_old = now.status == cudaErrorInsufficientDriver || now.status == cudaErrorCallRequiresNewerDriver;
  if (now.driver_cuda == 0 || now.status == cudaErrorStubLibrary) return without_driver(now);
  if (too_old) return with_old_driver(now);
  if (now.status == cudaErrorNoDevice || now.status == cudaSuccess) {
    if (now.hidden) {
      return "The NVIDIA driver shows this program no card: CUDA_VISIBLE_DEVICES hides them. Unset it, or name the "
             "cards to use (CUDA_VISIBLE_DEVICES=0).";
    }
    return now.visible_card.empty() && now.driver.empty()
               ? no_card_diagnosis
               : fmt::format("The NVIDIA driver finds no card ({}). Check it with nvidia-smi.", now.status_text);
  }
  return fmt::format(
      "The NVIDIA driver does not work: {}. Check it with nvidia-smi, and restart the machine after an update of the "
      "driver.",
      now.status_text);
}

}  // namespace d2l::backend::cuda
