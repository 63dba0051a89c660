// SPDX-License-Identifier: MIT
// A grid-stride loop. In each iteration the threads of the grid process neighbouring
// samples, so a warp reads 128 bytes in a row: 4 sectors. The condition of the loop is
// the guard, for more threads than samples and for none at all: a launch needs blocks
// and threads, but no samples.
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
  fade<<<blocks, threads, 0, stream(sound.device())>>>(sound.data_ptr<float>(),
                                                       result.data_ptr<float>(), n);
  return result;
}
