// SPDX-License-Identifier: MIT
// Discovery of the cards through the CUDA runtime.
#include "backend/cuda/discovery/discovery.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "backend/cuda/discovery/architectures.h"
#include "backend/cuda/errors/check.h"
#include "backend/nvidia_machine.h"

namespace d2l::backend::cuda {
namespace {

int attribute(int ordinal, cudaDeviceAttr which) {
  int value = 0;
  D2L_CUDA_CHECK(cudaDeviceGetAttribute(&value, which, ordinal));
  return value;
}

Card describe(int ordinal) {
  cudaDeviceProp properties{};
  D2L_CUDA_CHECK(cudaGetDeviceProperties(&properties, ordinal));
  std::array<char, 32> bus_id{};
  D2L_CUDA_CHECK(cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), ordinal));
  return {.ordinal = ordinal,
          .properties = {.name = properties.name,
                         .total_memory = static_cast<std::int64_t>(properties.totalGlobalMem),
                         .multiprocessors = properties.multiProcessorCount,
                         .major = properties.major,
                         .minor = properties.minor,
                         .bus_id = bus_id.data()},
          .reads_pageable_memory = attribute(ordinal, cudaDevAttrPageableMemoryAccess) != 0,
          .has_memory_pools = attribute(ordinal, cudaDevAttrMemoryPoolsSupported) != 0};
}

/// A binary with code for exactly this card runs. For other code, the driver says whether it can run or translate it.
bool is_usable(const Card& card, const std::vector<int>& built_for) {
  if (!card.has_memory_pools) return false;
  const int capability = card.capability();
  if (std::find(built_for.begin(), built_for.end(), capability) != built_for.end()) return true;
  if (built_for.empty() || capability < built_for.front()) return false;
  const CardGuard guard(card.ordinal);
  return runs_on_current_card();
}

void find_cards(int count, Discovery& found, Circumstances& circumstances) {
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    try {
      Card card = describe(ordinal);
      auto& list = is_usable(card, circumstances.built_for) ? found.cards : circumstances.unusable;
      list.push_back(std::move(card));
    } catch (const std::exception& error) {
      circumstances.status_text = error.what();
    }
  }
}

Discovery discover() {
  Discovery found;
  Circumstances circumstances;
  circumstances.toolkit = CUDART_VERSION;
  circumstances.built_for = built_architectures();
  circumstances.visible_card = visible_nvidia_card();
  circumstances.hidden = std::getenv("CUDA_VISIBLE_DEVICES") != nullptr;

  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  circumstances.status = status;
  circumstances.status_text = cudaGetErrorString(status);
  if (status != cudaSuccess) forget_last_error();
  if (cudaDriverGetVersion(&circumstances.driver_cuda) != cudaSuccess) circumstances.driver_cuda = 0;
  circumstances.driver = loaded_nvidia_driver();
  if (circumstances.driver.empty() && circumstances.driver_cuda > 0) circumstances.driver = nvml_driver_version();
  if (status == cudaSuccess) find_cards(count, found, circumstances);

  found.driver.driver = circumstances.driver;
  found.driver.driver_cuda = cuda_version_text(circumstances.driver_cuda);
  found.driver.toolkit = cuda_version_text(circumstances.toolkit);
  if (found.cards.empty()) found.driver.diagnosis = diagnose(circumstances);
  return found;
}

Discovery discover_or_none() noexcept {
  try {
    return discover();
  } catch (const std::exception& error) {
    Discovery none;
    none.driver.diagnosis = error.what();
    return none;
  }
}

}  // namespace

const Discovery& discovery() noexcept {
  static const Discovery* found = new Discovery(discover_or_none());
  return *found;
}

}  // namespace d2l::backend::cuda
