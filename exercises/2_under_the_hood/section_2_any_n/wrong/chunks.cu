// SPDX-License-Identifier: MIT
// Gives each thread a piece of neighbouring samples, as threads of a CPU get. The threads of a warp are far apart.
// Fails: sectors: sectors read
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

__global__ void fade(const float* sound, float* result, int n) {
  const int all = gridDim.x * blockDim.x;
  const int chunk = (n + all - 1) / all;
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
  for (int i = begin; i < begin + chunk && i < n; ++i) {
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
