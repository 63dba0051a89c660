// SPDX-License-Identifier: MIT
// A main for testsuite/CUDA/memcpy/null_dst/kernel.cu.
#include <cstdio>

#include "kernel.cu"

int main() {
  s_t* in;
  cudaMalloc(&in, 2 * sizeof(s_t));
  cudaMemset(in, 0, 2 * sizeof(s_t));
  k<<<1, 2>>>(in, nullptr);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
}
