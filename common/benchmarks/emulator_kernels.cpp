// SPDX-License-Identifier: MIT
// The kernels of emulator_benchmark. Compiled with the instrumentation.
#include "emulator_kernels.h"

#include "emulator_bodies.h"

__global__ void reverse_twice(const float* in, float* out) { reverse_block_twice(in, out); }
/// The lanes of a warp take different branches, and leave the loop one after the other.
__global__ void divergent(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k <= i % 32; ++k) {
    if ((i + k) % 3 == 0) {
      sum += in[i];
    } else {
      sum -= in[i / 2];
    }
  }
  out[i] = sum;
}
__global__ void add(const float* a, const float* b, float* out, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = a[i] + b[i];
}
__global__ void product(const float* a, const float* b, float* out, int n) { product_by_tiles(a, b, out, n); }
