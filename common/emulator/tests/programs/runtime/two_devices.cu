// SPDX-License-Identifier: MIT
// Two devices: each has its own copy of the variables, and needs peer access to use the memory of the other.
#include <cstdio>

#include "verify.h"

__device__ int counter = 5;
__constant__ int factors[2] = {2, 3};
__managed__ int shared_by_all = 0;

__global__ void count(int* out) {
  counter += factors[0];
  atomicAdd(&shared_by_all, 1);
  *out = counter * factors[1];
}
__global__ void read(const int* in, int* out) { *out = *in; }

int main() {
  int* out[2];
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaMalloc(&out[device], sizeof(int));
  }
  const int other_factors[2] = {10, 7};
  cudaSetDevice(1);
  cudaMemcpyToSymbol(factors, other_factors, sizeof factors);
  for (int round = 0; round < 2; ++round) {
    for (int device = 0; device < 2; ++device) {
      cudaSetDevice(device);
      count<<<1, 1>>>(out[device]);
    }
  }
  int result[2];
  int counters[2];
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaMemcpy(&result[device], out[device], sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&counters[device], counter, sizeof(int));
  }
  REQUIRE(counters[0] == 9 && result[0] == 27);
  REQUIRE(counters[1] == 25 && result[1] == 175);
  REQUIRE(shared_by_all == 4);

  cudaSetDevice(0);
  cudaDeviceEnablePeerAccess(1, 0);
  read<<<1, 1>>>(out[1], out[0]);
  cudaMemcpy(&result[0], out[0], sizeof(int), cudaMemcpyDeviceToHost);
  REQUIRE(result[0] == 175);

  cudaDeviceDisablePeerAccess(1);
  read<<<1, 1>>>(out[1], out[0]);
  REQUIRE(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  cudaSetDevice(1);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  std::printf("PASSED\n");
}
