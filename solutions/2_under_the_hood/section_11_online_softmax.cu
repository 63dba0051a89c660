// SPDX-License-Identifier: MIT
// A part of a row is described by its maximum and the sum of the powers relative to it.
// Two such pairs combine into one, so a single reduction gives what softmax needs.
// Short rows stay in registers between the reduction and the division, so x is read
// once; rows that are too long for them are read a second time.
#include <algorithm>
#include <cmath>

#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

namespace {

constexpr int max_threads = 256;
constexpr int kept_by_thread = 4;

struct alignas(8) MaxAndSum {
  float max;
  float sum;
};

/// e to the power of from - to; 1 for equal numbers, which may be -infinity.
__device__ float rescale(float from, float to) {
  return from == to ? 1.f : expf(from - to);
}

__device__ MaxAndSum merge(MaxAndSum a, MaxAndSum b) {
  const float max = fmaxf(a.max, b.max);
  return {max, a.sum * rescale(a.max, max) + b.sum * rescale(b.max, max)};
}

/// The total of the block, for all of its threads.
__device__ MaxAndSum merge_block(MaxAndSum value) {
  __shared__ MaxAndSum of_warp[max_threads / 32];
  for (int mask = 16; mask > 0; mask /= 2) {
    value = merge(value, {__shfl_xor_sync(0xffffffff, value.max, mask),
                          __shfl_xor_sync(0xffffffff, value.sum, mask)});
  }
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  const int warps = blockDim.x / 32;
  for (int warp = 1; warp < warps; ++warp) value = merge(value, of_warp[warp]);
  return value;
}

__global__ void softmax_short(const float* x, float* result, int columns) {
  const auto begin = static_cast<std::int64_t>(blockIdx.x) * columns;
  float kept[kept_by_thread];
  MaxAndSum total{-INFINITY, 0};
#pragma unroll
  for (int k = 0; k < kept_by_thread; ++k) {
    const int i = threadIdx.x + k * blockDim.x;
    kept[k] = i < columns ? x[begin + i] : -INFINITY;
    total = merge(total, {kept[k], 1});
  }
  total = merge_block(total);
#pragma unroll
  for (int k = 0; k < kept_by_thread; ++k) {
    const int i = threadIdx.x + k * blockDim.x;
    if (i < columns) result[begin + i] = expf(kept[k] - total.max) / total.sum;
  }
}

__global__ void softmax_long(const float* x, float* result, int columns) {
  const auto begin = static_cast<std::int64_t>(blockIdx.x) * columns;
  MaxAndSum total{-INFINITY, 0};
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    total = merge(total, {x[begin + i], 1});
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
  const auto kernel =
      columns <= max_threads * kept_by_thread ? softmax_short : softmax_long;
  const int threads =
      std::min(max_threads, (columns + 31) / 32 * 32);  // whole warps, and no idle ones
  kernel<<<rows, threads, 0, stream(x.device())>>>(x.data_ptr<float>(),
                                                   result.data_ptr<float>(), columns);
  return result;
}
