// SPDX-License-Identifier: MIT
// Loads with a stride of two floats use half of their sectors; the stores use all. It has arguments.
#include <cassert>
#include <cstdio>
#include <cstdlib>

__global__ void every_second(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = in[2 * i];
  out[i] = value;
}

int main(int count, char** arguments) {
  const int blocks = count > 1 ? std::atoi(arguments[1]) : 1;
  assert(blocks > 0);
  float *in, *out;
  cudaMalloc(&in, 2 * blocks * 128 * sizeof(float));
  cudaMalloc(&out, blocks * 128 * sizeof(float));
  cudaMemset(in, 0, 2 * blocks * 128 * sizeof(float));
  every_second<<<blocks, 128>>>(in, out);
  std::printf("%d blocks\n", blocks);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
