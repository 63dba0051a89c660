// Tiles of more threads than a warp has, tiles of tiles, and grid.sync(), which needs a cooperative launch.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <vector>

#include "verify.h"

namespace cg = cooperative_groups;

/// Each tile of 128 threads rotates its part of x; then sums over tiles of several sizes.
__global__ void rotate(int* x, int* sums) {
  __shared__ cg::block_tile_memory<256> memory;
  __shared__ int values[256];
  cg::thread_block block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<128>(block);
  const unsigned i = block.thread_rank();
  values[i] = x[i];
  tile.sync();
  const unsigned first = tile.meta_group_rank() * tile.num_threads();
  x[i] = values[first + (tile.thread_rank() + 1) % tile.size()];
  tile.sync();
  values[i] = 0;  // after the reads of the others

  const int sum = cg::reduce(tile, static_cast<int>(i), cg::plus<int>());
  auto half = cg::tiled_partition<64>(tile);
  auto warp = cg::tiled_partition<32>(half);
  const int of_half = cg::reduce(half, 1, cg::plus<int>());
  const int largest = cg::reduce(half, static_cast<int>(i), cg::greater<int>());
  if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = sum;
  if (i == 200) {
    sums[2] = of_half;
    sums[3] = largest;
    sums[4] = static_cast<int>(half.meta_group_rank() * 100 + half.meta_group_size());  // of the tile of 128
    sums[5] = static_cast<int>(warp.meta_group_rank() * 100 + warp.meta_group_size());
  }
  const int before = cg::exclusive_scan(tile, 2, cg::plus<int>());
  const int up_to = cg::inclusive_scan(tile, 2, cg::plus<int>());
  const bool right = before == 2 * static_cast<int>(tile.thread_rank()) && up_to == before + 2;
  if (tile.all(right) && !tile.any(!right) && tile.shfl(i, 100) == first + 100 && tile.thread_rank() == 7) {
    sums[6 + tile.meta_group_rank()] = 1;
  }
}

__device__ int sum_of(const cg::thread_block_tile<64>& tile, int value) {
  return cg::reduce(tile, value + static_cast<int>(tile.meta_group_rank() * tile.meta_group_size()), cg::plus<int>());
}
__global__ void without_its_type(int* out) {
  __shared__ cg::block_tile_memory<128> memory;
  const cg::thread_block_tile<64> tile = cg::tiled_partition<64>(cg::this_thread_block(memory));
  const int sum = sum_of(tile, 1);
  if (tile.thread_rank() == 63) out[tile.meta_group_rank()] = sum;
}

__global__ void in_a_grid(int* x) {
  cg::grid_group grid = cg::this_grid();
  if (!grid.is_valid()) return;
  x[grid.thread_rank()] = static_cast<int>(grid.thread_rank());
  grid.sync();
  const int other = x[grid.size() - 1 - grid.thread_rank()];
  grid.sync();
  x[grid.thread_rank()] = other;
}

int main() {
  std::vector<int> x(256), sums(8);
  for (int i = 0; i < 256; ++i) x[i] = i;
  int *dx, *dsums;
  CHECK(cudaMalloc(&dx, 256 * sizeof(int)));
  CHECK(cudaMalloc(&dsums, 8 * sizeof(int)));
  CHECK(cudaMemcpy(dx, x.data(), 256 * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(dsums, 0, 8 * sizeof(int)));
  rotate<<<1, 256>>>(dx, dsums);
  CHECK(cudaMemcpy(x.data(), dx, 256 * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(sums.data(), dsums, 8 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 256; ++i) REQUIRE(x[i] == i / 128 * 128 + (i + 1) % 128);
  verify(sums == std::vector<int>({127 * 64, 383 * 64, 64, 255, 102, 2, 1, 1}), "the sums of tiles");

  without_its_type<<<1, 128>>>(dsums);
  CHECK(cudaMemcpy(sums.data(), dsums, 8 * sizeof(int), cudaMemcpyDeviceToHost));
  verify(sums[0] == 64 && sums[1] == 64 * 3, "tiles without the type of their parent");

  void* arguments[] = {&dx};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(in_a_grid), dim3(4), dim3(64), arguments));
  CHECK(cudaMemcpy(x.data(), dx, 256 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 256; ++i) REQUIRE(x[i] == 255 - i);
  in_a_grid<<<4, 64>>>(dx);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(dx));
  CHECK(cudaFree(dsums));
  return passed();
}
