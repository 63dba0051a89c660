// SPDX-License-Identifier: MIT
// Computes the number of blocks from n, as in section 2.1, and ignores the given one.
// Fails: grid: block
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
  Tensor result = empty(sound.sizes(), sound.options());
  if (n == 0) return result;
  blocks = (n + threads - 1) / threads;
  fade<<<blocks, threads, 0, stream(sound.device())>>>(sound.data_ptr<float>(), result.data_ptr<float>(), n);
  return result;
}
