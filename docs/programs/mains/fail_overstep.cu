// SPDX-License-Identifier: MIT
// A main for testsuite/CUDA/memcpy/fail_overstep/kernel.cu.
#include <cstdio>

#include "kernel.cu"

int main() {
  s_t *in, *out;
  cudaMalloc(&in, 3 * sizeof(s_t));
  cudaMalloc(&out, 3 * sizeof(s_t));
  cudaMemset(in, 0, 3 * sizeof(s_t));
  k<<<1, 2>>>(in, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
}
