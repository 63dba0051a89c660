// SPDX-License-Identifier: MIT
// A .cpp file with a kernel: nvcc -x cu.
#include "negate.h"

__global__ void negate(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < max(n, 0)) x[i] = negated(x[i]);
}

void launch_negate(float* x, int n) { negate<<<(n + 63) / 64, 64>>>(x, n); }
