// SPDX-License-Identifier: MIT
// Three launches: scan each block, scan the totals of the blocks, add them. Each
// element is loaded and stored at most twice, and neighbouring threads access
// neighbouring elements. A block is scanned with shuffles: within each warp, then over
// the last sums of its warps, which shared memory passes on. Threads beyond the end
// take part with a 0, because every thread of a warp must reach a shuffle, and every
// thread of a block a barrier. The totals are few, so one block scans them; it goes
// over them in steps and carries the sum, so their number has no limit.
#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

namespace {

constexpr int threads = 256;
constexpr int warps = threads / 32;

/// The sum of the values of all threads of the warp up to this one.
__device__ int scan_warp(int value) {
  const int lane = threadIdx.x % 32;
  for (int step = 1; step < 32; step *= 2) {
    const int before = __shfl_up_sync(0xffffffff, value, step);
    if (lane >= step) value += before;
  }
  return value;
}

/// The sum of the values of all threads of the block up to this one. All threads must
/// call it, with a barrier before the next call.
__device__ int scan_block(int value) {
  __shared__ int totals[warps];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  value = scan_warp(value);
  if (lane == 31) totals[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const int scanned = scan_warp(lane < warps ? totals[lane] : 0);
    if (lane < warps) totals[lane] = scanned;
  }
  __syncthreads();
  return warp == 0 ? value : totals[warp - 1] + value;
}

__global__ void scan_each_block(const int* x, int* result, int* totals, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int sum = scan_block(i < n ? x[i] : 0);
  if (i < n) result[i] = sum;
  if (threadIdx.x == threads - 1) totals[blockIdx.x] = sum;
}

/// Scans the totals with one block.
__global__ void scan_totals(int* totals, int count) {
  __shared__ int carried;
  if (threadIdx.x == 0) carried = 0;
  for (int begin = 0; begin < count; begin += threads) {
    const int i = begin + threadIdx.x;
    const int scanned = scan_block(i < count ? totals[i] : 0);
    const int sum = carried + scanned;
    if (i < count) totals[i] = sum;
    __syncthreads();  // all have read what was carried, and the totals of the warps
    if (threadIdx.x == threads - 1) carried = sum;
  }
}

/// Adds to each block the total of all blocks before it. Block 0 needs nothing, so the
/// first block here is block 1.
__global__ void add_totals(int* result, const int* totals, int n) {
  const int i = (blockIdx.x + 1) * blockDim.x + threadIdx.x;
  const int before = totals[blockIdx.x];
  if (i < n) result[i] += before;
}

}  // namespace

Tensor prefix_sum(const Tensor& x) {
  const int n = static_cast<int>(x.numel());
  Tensor result = empty(x.sizes(), x.options());
  if (n == 0) return result;
  const int blocks = (n - 1) / threads + 1;
  Tensor totals = empty({blocks}, x.options());
  const auto queue = stream(x.device());
  scan_each_block<<<blocks, threads, 0, queue>>>(
      x.data_ptr<int>(), result.data_ptr<int>(), totals.data_ptr<int>(), n);
  if (blocks == 1) return result;
  scan_totals<<<1, threads, 0, queue>>>(totals.data_ptr<int>(), blocks);
  add_totals<<<blocks - 1, threads, 0, queue>>>(result.data_ptr<int>(),
                                                totals.data_ptr<int>(), n);
  return result;
}
