// SPDX-License-Identifier: MIT
// An estimate of pi with random numbers in a kernel.
#include <curand_kernel.h>

#include "verify.h"

__global__ void setup(curandState* states, unsigned long seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, i, 0, &states[i]);
}

__global__ void throw_darts(curandState* states, int throws, unsigned int* inside) {
  curandState mine = states[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned int count = 0;
  for (int i = 0; i < throws; ++i) {
    const float x = curand_uniform(&mine), y = curand_uniform(&mine);
    if (x * x + y * y <= 1.0f) ++count;
  }
  atomicAdd(inside, count);
}

int main() {
  curandState* states;
  unsigned int *inside, found = 0;
  CHECK(cudaMalloc((void**)&states, 256 * sizeof(curandState)));
  CHECK(cudaMalloc(&inside, sizeof *inside));
  CHECK(cudaMemset(inside, 0, sizeof *inside));
  setup<<<4, 64>>>(states, 1234);
  throw_darts<<<4, 64>>>(states, 400, inside);
  CHECK(cudaMemcpy(&found, inside, sizeof found, cudaMemcpyDeviceToHost));
  const double pi = 4.0 * found / (256 * 400);
  REQUIRE(pi > 3.10 && pi < 3.18);
  CHECK(cudaFree(states));
  CHECK(cudaFree(inside));
  return passed();
}
