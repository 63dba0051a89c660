// SPDX-License-Identifier: MIT
// Kernels for warps of 64 lanes. Compiled with the instrumentation.
#include "wide_warps/wide_kernels.h"

#include "cooperative_groups.h"
#include "kernels.h"
#include "mma.h"

namespace {
unsigned thread() { return threadIdx.x; }
unsigned lane() { return threadIdx.x % static_cast<unsigned>(warpSize); }
}  // namespace

__global__ void ballots(std::uint64_t* out) {
  out[3 * thread()] = __ballot_sync(~0ULL, thread() % 3 == 0 ? 1 : 0);
  out[3 * thread() + 1] = __activemask();
  if (lane() >= 40) out[3 * thread() + 2] = __ballot_sync(~0ULL << 40U, 1);
}
__global__ void sum_of_warp(const int* in, int* out, unsigned size) {
  int sum = thread() < size ? in[thread()] : 0;
  for (unsigned distance = warpSize / 2U; distance > 0; distance /= 2) sum += __shfl_down_sync(~0ULL, sum, distance);
  if (lane() == 0) out[thread() / static_cast<unsigned>(warpSize)] = sum;
}
/// Each half of the warp by itself: the width of the shuffles is 32.
__global__ void sum_of_half(const int* in, int* out) {
  int sum = in[thread()];
  for (int other = 16; other > 0; other /= 2) sum += __shfl_xor_sync(~0ULL, sum, other, 32);
  out[thread()] = sum;
}
__global__ void votes(int* out) {
  const bool last = lane() == 63;
  out[thread()] = __any_sync(~0ULL, last ? 1 : 0) + 2 * __all_sync(~0ULL, last ? 0 : 1) + 4 * __all_sync(~0ULL, 1) +
                  8 * __shfl_sync(~0ULL, static_cast<int>(lane()), 63);
}
__global__ void matches(std::uint64_t* out) {
  int all = 0;
  out[2 * thread()] = __match_any_sync(~0ULL, lane() % 32);
  out[2 * thread() + 1] = __match_all_sync(~0ULL, 7, &all) + static_cast<unsigned>(all);
}
__global__ void tiles(int* out) {
  namespace cg = cooperative_groups;
  const auto of_64 = cg::tiled_partition<64>(cg::this_thread_block());
  const auto of_32 = cg::tiled_partition<32>(cg::this_thread_block());
  const auto four = cg::tiled_partition<4>(of_32);
  const auto together = cg::coalesced_threads();
  out[thread()] = cg::reduce(of_64, 1, cg::plus<int>()) + 100 * cg::reduce(of_32, 1, cg::plus<int>()) +
                  10000 * cg::reduce(four, 1, cg::plus<int>()) + 100000 * static_cast<int>(together.size());
}
/// The other half's value, through shared memory: ordered by the meeting of the warp.
__global__ void warp_meets(int* out) {
  D2L_TEST_SHARED(values, int[64]);
  values[thread()] = static_cast<int>(thread());
  __syncwarp();
  out[thread()] = values[(thread() + 32) % 64];
}
/// The lanes 0 to 31 meet, and the others; each reads the value of `thread ^ other`.
__global__ void halves_meet(int* out, unsigned other) {
  D2L_TEST_SHARED(values, int[64]);
  values[thread()] = static_cast<int>(thread());
  __syncwarp(lane() < 32 ? 0xffffffffULL : ~0ULL << 32U);
  out[thread()] = values[thread() ^ other];
}
__global__ void lanes_without_order(int* out) {
  D2L_TEST_SHARED(values, int[64]);
  values[thread()] = static_cast<int>(thread());
  out[thread()] = values[(thread() + 32) % 64];
}
__global__ void mask_of_32_lanes(int* out) { out[thread()] = __shfl_xor_sync(0xffffffffU, 1, 1); }
__global__ void ballot_of_32_lanes(int* out) {
  const auto positive = static_cast<unsigned>(__ballot_sync(~0ULL, 1));
  out[thread()] = __shfl_xor_sync(positive, 1, 1);
}
/// The whole warp must come, and only half of it does.
__global__ void first_half_meets(int* out) {
  if (lane() < 32) {
    __syncwarp();
    out[thread()] = 1;
  } else {
    __syncthreads();
  }
}
__global__ void first_half_alone(int* out) {
  out[thread()] = lane() < 32 ? __shfl_down_sync(0xffffffffU, 1, 16, 32) : 0;
}
/// Without the width, lane 16 reads lane 32.
__global__ void lane_beyond_the_mask(int* out) {
  out[thread()] = lane() < 32 ? __shfl_down_sync(0xffffffffU, 1, 16) : 0;
}
__global__ void product_of_matrices(int* /*out*/) {
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sum;
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major> a;
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::row_major> b;
  nvcuda::wmma::fill_fragment(sum, 0.F);
  nvcuda::wmma::fill_fragment(a, __half(1));
  nvcuda::wmma::fill_fragment(b, __half(1));
  nvcuda::wmma::mma_sync(sum, a, b, sum);
}
