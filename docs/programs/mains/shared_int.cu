// SPDX-License-Identifier: MIT
// A main for testsuite/CUDA/fail_tests/shared_int/kernel.cu.
#include <cstdio>

#include "kernel.cu"

int main() {
  foo<<<64, 64>>>();
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
}
