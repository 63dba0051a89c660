// SPDX-License-Identifier: MIT
// A barrier of the grid in a launch that is not cooperative.
#include <cooperative_groups.h>

#include <cstdio>

__global__ void meet() { cooperative_groups::this_grid().sync(); }

int main() {
  meet<<<2, 32>>>();
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
