// SPDX-License-Identifier: MIT
// The architectures that nvcc reports, and a kernel to test whether one of them fits a card.
#include <algorithm>

#include "backend/cuda/discovery/architectures.h"
#include "backend/cuda/errors/check.h"

namespace d2l::backend::cuda {
namespace {

__global__ void probe() {}

}  // namespace

std::vector<int> built_architectures() {
  std::vector<int> architectures{__CUDA_ARCH_LIST__};
  for (int& architecture : architectures) architecture /= 10;
  std::sort(architectures.begin(), architectures.end());
  return architectures;
}

bool runs_on_current_card() noexcept {
  cudaFuncAttributes attributes{};
  const bool found = cudaFuncGetAttributes(&attributes, probe) == cudaSuccess;
  if (!found) forget_last_error();
  return found;
}

}  // namespace d2l::backend::cuda
