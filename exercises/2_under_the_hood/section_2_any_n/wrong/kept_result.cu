// SPDX-License-Identifier: MIT
// Keeps the memory of the result for the next call with as many samples, which saves an allocation: the caller's result
// of the call before changes.
// Fails: values: off by
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

__global__ void fade(const float* sound, float* result, int n) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    const float passed = static_cast<float>(i) / static_cast<float>(n);
    result[i] = sound[i] * (1 - passed);
  }
}

Tensor fade_out(const Tensor& sound, int blocks, int threads) {
  const auto n = static_cast<int>(sound.numel());
  static Tensor result;
  if (!result.defined() || result.numel() != n || result.device() != sound.device()) {
    result = empty(sound.sizes(), sound.options());
  }
  fade<<<blocks, threads, 0, stream(sound.device())>>>(sound.data_ptr<float>(), result.data_ptr<float>(), n);
  return result;
}
