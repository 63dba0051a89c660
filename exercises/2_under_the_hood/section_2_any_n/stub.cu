// SPDX-License-Identifier: MIT
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

__global__ void fade(const float* sound, float* result, int n) {
  // TODO: this thread visits one sample. Let it visit all of its samples.
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = sound[i];  // TODO: fade it out
}

Tensor fade_out(const Tensor& sound, int blocks, int threads) {
  const auto n = static_cast<int>(sound.numel());
  Tensor result = empty(sound.sizes(), sound.options());
  fade<<<blocks, threads, 0, stream(sound.device())>>>(sound.data_ptr<float>(),
                                                       result.data_ptr<float>(), n);
  return result;
}
