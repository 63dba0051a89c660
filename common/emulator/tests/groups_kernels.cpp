// SPDX-License-Identifier: MIT
#include "groups_kernels.h"

#include "cooperative_groups.h"
#include "kernels.h"

namespace cg = cooperative_groups;

__global__ void sum_by_tiles(const int* in, int* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  int sum = in[block.thread_rank()];
  for (unsigned delta = tile.size() / 2; delta > 0; delta /= 2) sum += tile.shfl_down(sum, delta);
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum;
  block.sync();
  const int total = cg::reduce(tile, in[block.thread_rank()], cg::plus<int>());
  if (tile.thread_rank() == 3 && out[tile.meta_group_rank()] != total) __trap();
  if (tile.ballot(tile.thread_rank() == 2) != 4U) __trap();
  if (cg::inclusive_scan(tile, 1) != static_cast<int>(tile.thread_rank()) + 1) __trap();
  if (block.thread_rank() % 2 == 1) {
    const auto together = cg::coalesced_threads();
    if (together.size() != 16 || together.thread_rank() != block.thread_rank() % 32 / 2) __trap();
  }
}

__global__ void reverse_in_grid(const int* in, int* between, int* out) {
  const auto grid = cg::this_grid();
  const auto i = grid.thread_rank();
  between[i] = in[i];
  grid.sync();
  out[i] = between[grid.size() - 1 - i];
}
