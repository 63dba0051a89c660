// SPDX-License-Identifier: MIT
// A main for testsuite/CUDA/curand_tests/fail/curand_race/kernel.cu.
#include <curand_kernel.h>

#include <cstdio>

__global__ void start(curandState* state) { curand_init(1, 0, 0, state); }

#include "kernel.cu"

int main() {
  curandState* state;
  cudaMalloc(&state, sizeof(curandState));
  float* a;
  cudaMalloc(&a, 2 * sizeof(float));
  start<<<1, 1>>>(state);
  curand_test<<<1, 2>>>(state, a);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
}
