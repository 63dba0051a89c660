// SPDX-License-Identifier: MIT
// Occupancy and attributes of kernels.
#include "verify.h"

__global__ void __launch_bounds__(256) kernel(float* x) { x[threadIdx.x] = 1; }

int main() {
  int grid = 0, block = 0, blocks = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0));
  REQUIRE(grid >= 1 && block >= 32 && block <= 1024);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0));
  REQUIRE(blocks == 8);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, kernel));
  REQUIRE(attributes.maxThreadsPerBlock >= 256);
  return passed();
}
