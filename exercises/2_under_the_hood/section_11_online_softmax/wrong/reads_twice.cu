// SPDX-License-Identifier: MIT
// The kernel for long rows, used for all: right, but a short row is read again to write the result.
// Fails: reads: bytes loaded
#include <algorithm>
#include <cmath>

#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

namespace {

constexpr int most_threads = 256;

struct alignas(8) MaxAndSum {
  float max;
  float sum;
};

/// e to the power of from - to; 1 for equal numbers, which may be -infinity.
__device__ float rescale(float from, float to) { return from == to ? 1.f : expf(from - to); }

__device__ MaxAndSum merge(MaxAndSum a, MaxAndSum b) {
  const float max = fmaxf(a.max, b.max);
  return {max, a.sum * rescale(a.max, max) + b.sum * rescale(b.max, max)};
}

/// The total of the block, for all of its threads.
__device__ MaxAndSum merge_block(MaxAndSum value) {
  __shared__ MaxAndSum of_warp[most_threads / 32];
  for (int mask = 16; mask > 0; mask /= 2) {
    value = merge(value, {__shfl_xor_sync(0xffffffff, value.max, mask), __shfl_xor_sync(0xffffffff, value.sum, mask)});
  }
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  const int warps = blockDim.x / 32;
  for (int warp = 1; warp < warps; ++warp) value = merge(value, of_warp[warp]);
  return value;
}

__global__ void softmax_long(const float* x, float* result, int columns) {
  const auto begin = static_cast<std::int64_t>(blockIdx.x) * columns;
  MaxAndSum total{-INFINITY, 0};
  for (int i = threadIdx.x; i < columns; i += blockDim.x) total = merge(total, {x[begin + i], 1});
  total = merge_block(total);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    result[begin + i] = expf(x[begin + i] - total.max) / total.sum;
}

}  // namespace

Tensor softmax(const Tensor& x) {
  Tensor result = zeros(x.sizes(), x.options());
  const int rows = static_cast<int>(x.size(0));
  const int columns = static_cast<int>(x.size(1));
  if (rows == 0) return result;
  const int threads = std::min(most_threads, (columns + 31) / 32 * 32);  // whole warps, and no idle ones
  softmax_long<<<rows, threads, 0, stream(x.device())>>>(x.data_ptr<float>(), result.data_ptr<float>(), columns);
  return result;
}
