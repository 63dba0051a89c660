// SPDX-License-Identifier: MIT
// Errors of launches and calls, their names, and how they are cleared.
#include <cstring>

#include "verify.h"

__global__ void nothing() {}

int main() {
  nothing<<<1, 2048>>>();
  REQUIRE(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidConfiguration);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  nothing<<<0, 32>>>();
  REQUIRE(cudaGetLastError() == cudaErrorInvalidConfiguration);
  nothing<<<dim3(1, 65536), 32>>>();
  REQUIRE(cudaGetLastError() == cudaErrorInvalidConfiguration);
  void* p = nullptr;
  REQUIRE(cudaMalloc(&p, std::size_t{1} << 60) == cudaErrorMemoryAllocation);
  cudaGetLastError();
  int x = 0;
  REQUIRE(cudaFree(&x) == cudaErrorInvalidValue);
  CHECK(cudaFree(nullptr));
  CHECK(cudaMalloc(&p, 16));
  REQUIRE(cudaMemcpy(&x, p, 32, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  REQUIRE(cudaMemcpy(p, &x, 4, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaFree(p));
  REQUIRE(cudaFree(p) == cudaErrorInvalidValue);
  REQUIRE(std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
  REQUIRE(std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
  cudaGetLastError();
  nothing<<<1, 1>>>();
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  return passed();
}
