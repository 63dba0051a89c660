// Tiles with and without their parent's type, partitions of a tile, shuffles of structures, and PTX.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "verify.h"

namespace cg = cooperative_groups;

struct Pair {
  double value;
  int place;
};

__device__ unsigned lanes_before() {
  unsigned mask;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}

__device__ int sum_of(int a, int b) {
  int sum;
  asm("add.s32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
  return sum;
}

__global__ void kernel(int* out) {
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int rank = tile.thread_rank();
  auto half = cg::binary_partition(tile, rank % 4 == 0);
  if (half.thread_rank() == 0) atomicAdd(&out[0], static_cast<int>(half.size() * half.size()));
  auto same = cg::labeled_partition(tile, rank % 8);
  if (same.thread_rank() == 0) atomicAdd(&out[1], static_cast<int>(same.size()));
  tile.sync();
  const Pair best =
      cg::reduce(tile, Pair{rank == 17 ? 2.5 : 1.0, rank}, [](Pair a, Pair b) { return b.value > a.value ? b : a; });
  if (rank == 0) out[2] = best.place;
  const unsigned odd = tile.ballot(rank % 2);
  out[3 + rank] = sum_of(__popc(odd & lanes_before()), 1);
}

/// Parts of every third lane, whose numbers have gaps; parts larger than the group are the group.
__global__ void sizes_of_parts(int* out) {
  if (threadIdx.x % 3 != 0) return;
  const cg::coalesced_group third = cg::coalesced_threads();  // 11 lanes
  const cg::thread_group pair = cg::tiled_partition(third, 8);
  atomicAdd(&out[0], static_cast<int>(pair.size()));  // 8 * 8 + 3 * 3
  if (pair.thread_rank() == pair.size() - 1) atomicAdd(&out[1], 1);
  atomicAdd(&out[2], static_cast<int>(cg::tiled_partition(pair, 32).size()));
}

/// The first lanes add values of lanes that do not take part: those count as 0.
__global__ void sum_of_eight(int* out) {
  int value = threadIdx.x + 1;
  if (threadIdx.x < 8) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xff, value, offset);
    if (threadIdx.x == 0) *out = value;
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, 35 * sizeof(int));
  cudaMemset(out, 0, 35 * sizeof(int));
  kernel<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  verify(out[0] == 8 * 8 + 24 * 24 && out[1] == 32, "partitions");
  verify(out[2] == 17, "a reduction of structures");
  bool right = true;
  for (int i = 0; i < 32; ++i) right = right && out[3 + i] == i / 2 + 1;
  verify(right, "inline PTX");
  sum_of_eight<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  verify(out[0] == 36, "shuffles from lanes that do not take part");
  cudaMemset(out, 0, 35 * sizeof(int));
  sizes_of_parts<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  verify(out[0] == 8 * 8 + 3 * 3 && out[1] == 2 && out[2] == 8 * 8 + 3 * 3, "parts of a group with gaps");
  return passed();
}
