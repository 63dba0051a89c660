// SPDX-License-Identifier: MIT
// HIP's functions of a warp: shuffles with and without masks, votes whose masks have 64 bits, builtins of the compiler.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

#include <type_traits>

#define REQUIRE(condition)                                                           \
  do {                                                                               \
    if (!(condition)) {                                                              \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(EXIT_FAILURE);                                                       \
    }                                                                                \
  } while (0)

constexpr int threads = 64;

struct Found {
  int sum;
  int up;
  int butterfly;
  int masked;
  int first;
  int permuted;
  int any_and_all;
  int in_group;
  unsigned lane;
  unsigned before;
  unsigned long long odd;
  unsigned long long odd_of_mask;
  unsigned long long active;
  unsigned long long branch;
  unsigned long long equal;
};

__global__ void collect(Found* found) {
  const int i = static_cast<int>(threadIdx.x);
  Found& own = found[i];
  int sum = i;
  for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_down(sum, offset);
  own.sum = __shfl(sum, 0);
  own.up = __shfl_up(i, 2);
  own.butterfly = __shfl_xor(i, 3, 8);
  const unsigned long long all = __activemask();
  own.masked = __shfl_sync(all, i, 5, 16);
  own.first = __builtin_amdgcn_readfirstlane(i);
  own.permuted = __builtin_amdgcn_ds_bpermute(4 * ((i + 1) % warpSize), i);
  own.any_and_all = __any(i == 40) + 2 * __all(i < 40) + 4 * __any_sync(all, i == 3) + 8 * __all_sync(all, i < threads);
  own.lane = __lane_id();
  static_assert(std::is_same_v<decltype(__ballot(1)), unsigned long long>);
  static_assert(std::is_same_v<decltype(__activemask()), unsigned long long>);
  static_assert(std::is_same_v<decltype(__ballot_sync(all, 1)), unsigned long long>);
  own.odd = __ballot(i % 2 == 1);
  own.odd_of_mask = __ballot_sync(all, i % 2 == 1);
  own.active = all;
  own.equal = __match_any_sync(all, i / 4);
  own.before = __builtin_amdgcn_mbcnt_hi(~0U, __builtin_amdgcn_mbcnt_lo(~0U, 0U));
  own.branch = 0;
  if (i % warpSize < 5) own.branch = __ballot(1);
  __builtin_amdgcn_wave_barrier();
  const auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
  own.in_group = tile.shfl(i, 7);
}

int main() {
  Found* found;
  REQUIRE(hipMallocManaged(&found, threads * sizeof(Found)) == hipSuccess);
  collect<<<1, threads>>>(found);
  REQUIRE(hipDeviceSynchronize() == hipSuccess);
  int size = 0;
  REQUIRE(hipDeviceGetAttribute(&size, hipDeviceAttributeWarpSize, 0) == hipSuccess);
  const unsigned long long all = size == 64 ? ~0ULL : (1ULL << size) - 1;
  for (int i = 0; i < threads; ++i) {
    const Found& own = found[i];
    const int first = i / size * size;
    const int lane = i - first;
    REQUIRE(own.sum == size * first + size * (size - 1) / 2);
    REQUIRE(own.up == (lane < 2 ? i : i - 2));
    REQUIRE(own.butterfly == (i ^ 3));
    REQUIRE(own.masked == i / 16 * 16 + 5);
    REQUIRE(own.first == first);
    REQUIRE(own.permuted == first + (lane + 1) % size);
    const bool has_40 = first <= 40 && 40 < first + size;
    REQUIRE(own.any_and_all == (has_40 ? 1 : 0) + (first + size <= 40 ? 2 : 0) + (first == 0 ? 4 : 0) + 8);
    REQUIRE(own.lane == static_cast<unsigned>(lane) && own.before == own.lane);
    REQUIRE(own.odd == (0xaaaaaaaaaaaaaaaaULL & all) && own.odd_of_mask == own.odd && own.active == all);
    REQUIRE(own.branch == (lane < 5 ? 0x1fULL : 0));
    REQUIRE(own.equal == 0xfULL << (lane / 4 * 4));
    REQUIRE(own.in_group == i / 8 * 8 + 7);
    REQUIRE(__popcll(own.odd) == size / 2 && __ffsll(own.odd) == 2);
  }
  REQUIRE(hipFree(found) == hipSuccess);
  std::puts("PASSED");
}
