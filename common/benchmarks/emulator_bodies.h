// SPDX-License-Identifier: MIT
// What kernels of emulator_benchmark do that run with and without the instrumentation. Each file compiles its own.
#pragma once

#include "kernels.h"

namespace {

/// A product of square matrices by tiles of 16 x 16.
[[gnu::always_inline]] inline void product_by_tiles(const float* a, const float* b, float* out, int n) {
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

/// Two barriers, and little else.
[[gnu::always_inline]] inline void reverse_block_twice(const float* in, float* out) {
  D2L_TEST_SHARED(tile, float[256]);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
}

}  // namespace
