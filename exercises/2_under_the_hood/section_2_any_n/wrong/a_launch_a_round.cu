// SPDX-License-Identifier: MIT
// The loop is on the host: one launch for each round of the grid.
// Fails: grid: launches
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

__global__ void fade(const float* sound, float* result, int n, int first) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float passed = static_cast<float>(i) / static_cast<float>(n);
    result[i] = sound[i] * (1 - passed);
  }
}

Tensor fade_out(const Tensor& sound, int blocks, int threads) {
  const auto n = static_cast<int>(sound.numel());
  Tensor result = empty(sound.sizes(), sound.options());
  for (int first = 0; first < n; first += blocks * threads) {
    fade<<<blocks, threads, 0, stream(sound.device())>>>(sound.data_ptr<float>(), result.data_ptr<float>(), n, first);
  }
  return result;
}
