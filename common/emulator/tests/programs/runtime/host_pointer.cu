// SPDX-License-Identifier: MIT
// A kernel that is given an address of the host fails.
#include <vector>

#include "verify.h"

__global__ void set(int* x) { *x = 1; }

int main() {
  std::vector<int> h(1);
  set<<<1, 1>>>(h.data());
  REQUIRE(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  REQUIRE(h[0] == 0);
  return passed();
}
