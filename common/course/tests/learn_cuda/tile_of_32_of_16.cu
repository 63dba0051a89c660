// SPDX-License-Identifier: MIT
// A tile of 32 threads of a tile of 16 does not exist.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void divide() {
  const auto part = cg::tiled_partition<16>(cg::this_thread_block());
  cg::tiled_partition<32>(part).sync();
}

int main() {
  divide<<<1, 96>>>();
  return 0;
}
