// SPDX-License-Identifier: MIT
// A main for testsuite/CUDA/fail_tests/race_on_shared/kernel.cu.
#include <cstdio>

#include "kernel.cu"

int main() {
  foo<<<1, 16>>>();
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
}
