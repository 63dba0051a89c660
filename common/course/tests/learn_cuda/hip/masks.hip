// SPDX-License-Identifier: MIT
// Masks of 64 bits in warps of 32 lanes and of 64.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>

__global__ void masks(int* out) {
  const unsigned long long all = __activemask();
  const std::uint64_t odd = __ballot_sync(all, threadIdx.x % 2);
  int same = 0;
  int value = __shfl_sync(all, static_cast<int>(threadIdx.x), 5) + ::__shfl_up_sync(all, 1, 1) +
              __shfl_down_sync(all, 1, 1) + __shfl_xor_sync(all, 1, 1, 16);
  value +=
      __any_sync(all, threadIdx.x % 2) + __all_sync(all, 1) + (__match_any_sync(all, threadIdx.x % 2) != 0 ? 1 : 0);
  value += __match_all_sync(all, 1, &same) == all && same == 1 ? 1 : 0;
  const auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
  value += tile.any(1) + (tile.ballot(1) != 0 ? 1 : 0);
  if (threadIdx.x % 2 == 1) value += __all_sync(odd, 1);
  out[threadIdx.x] = value;
}

int main() {
  int* out = nullptr;
  int values[64] = {};
  if (hipMalloc(&out, sizeof values) != hipSuccess) return 1;
  masks<<<1, 64>>>(out);
  if (hipMemcpy(values, out, sizeof values, hipMemcpyDeviceToHost) != hipSuccess || hipFree(out) != hipSuccess)
    return 1;
  for (int i = 0; i < 64; ++i) {
    // The first warp of 32 has 5 in lane 5, the second one 37.
    const int first = i / warpSize * warpSize + 5;
    if (values[i] != first + 9 + i % 2) {
      std::printf("lane %d: %d\n", i, values[i]);
      return 1;
    }
  }
  std::puts("PASSED");
  return 0;
}
