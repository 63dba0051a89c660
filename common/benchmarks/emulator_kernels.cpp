// SPDX-License-Identifier: MIT
// The kernels of emulator_benchmark. Compiled with the instrumentation.
#include "emulator_kernels.h"

#include "kernels.h"

__global__ void reverse_twice(const float* in, float* out) {
  D2L_TEST_SHARED(tile, float[256]);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
}
__global__ void add(const float* a, const float* b, float* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = a[i] + b[i];
}
__global__ void product(const float* a, const float* b, float* out, int n) {
  D2L_TEST_SHARED(left, float[16][16]);
  D2L_TEST_SHARED(right, float[16][16]);
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * 16 + y;
  const int column = static_cast<int>(blockIdx.x) * 16 + x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += 16) {
    left[y][x] = a[row * n + tile + x];
    right[y][x] = b[(tile + y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  out[row * n + column] = sum;
}
