// SPDX-License-Identifier: MIT
// Tiles of sizes that do not exist, such as 24, or more threads than the tile has that is divided.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;

__global__ void divide(unsigned first, unsigned second) {
  const cg::thread_group part = cg::tiled_partition(cg::this_thread_block(), first);
  cg::tiled_partition(part, second).sync();
}

int main(int count, char** arguments) {
  if (count < 3) return 2;
  divide<<<1, 96>>>(std::atoi(arguments[1]), std::atoi(arguments[2]));
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
