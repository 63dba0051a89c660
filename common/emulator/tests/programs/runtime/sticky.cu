// SPDX-License-Identifier: MIT
// An assertion that fails in a kernel is a fatal error: every later call returns it.
#undef NDEBUG
#include <cassert>

#include "verify.h"

__global__ void fail(int x) { assert(x == 1); }

int main() {
  fail<<<1, 1>>>(2);
  REQUIRE(cudaDeviceSynchronize() == cudaErrorAssert);
  REQUIRE(cudaGetLastError() == cudaErrorAssert);
  void* p = nullptr;
  REQUIRE(cudaMalloc(&p, 4) == cudaErrorAssert);
  REQUIRE(cudaGetLastError() == cudaErrorAssert);
  return passed();
}
