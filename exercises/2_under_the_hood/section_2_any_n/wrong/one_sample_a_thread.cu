// SPDX-License-Identifier: MIT
// Has a guard but no loop: samples beyond the number of threads are not written.
// Fails: values: nan
// Fails: once: bytes read
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

__global__ void fade(const float* sound, float* result, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float passed = static_cast<float>(i) / static_cast<float>(n);
    result[i] = sound[i] * (1 - passed);
  }
}

Tensor fade_out(const Tensor& sound, int blocks, int threads) {
  const auto n = static_cast<int>(sound.numel());
  Tensor result = empty(sound.sizes(), sound.options());
  fade<<<blocks, threads, 0, stream(sound.device())>>>(sound.data_ptr<float>(), result.data_ptr<float>(), n);
  return result;
}
