// SPDX-License-Identifier: MIT
// Three levels, each with its own way to communicate. A thread adds every 64 * 256th
// element in a register: most of the additions, without any communication. The 32
// threads of a warp add their sums in 5 steps of shuffles, which need neither shared
// memory nor a barrier. The 8 warps leave their sums in shared memory; after the only
// barrier the first warp adds them, again by shuffles, and its first lane adds the sum
// of the block to the result: 64 atomics at most.
//
// No thread returns before the shuffles: a thread without an element adds 0.
#include <algorithm>

#include "d2l/stream.h"
#include "exercise.h"

using namespace d2l;

constexpr int threads = 256;
constexpr int max_blocks = 64;
constexpr int lanes = 32;

__device__ float sum_of_warp(float value) {
  for (int offset = lanes / 2; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void add_up(const float* x, float* sum, int n) {
  __shared__ float sums[threads / lanes];
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % lanes;
  float value = 0;
  for (int i = static_cast<int>(blockIdx.x) * threads + thread; i < n;
       i += static_cast<int>(gridDim.x) * threads) {
    value += x[i];
  }
  value = sum_of_warp(value);
  if (lane == 0) sums[thread / lanes] = value;
  __syncthreads();
  if (thread >= lanes) return;
  value = sum_of_warp(lane < threads / lanes ? sums[lane] : 0.0f);
  if (lane == 0) atomicAdd(sum, value);
}

Tensor sum_of(const Tensor& x) {
  Tensor sum = zeros({}, x.options());
  const int n = static_cast<int>(x.numel());
  if (n == 0) return sum;
  const int blocks = std::min(max_blocks, (n + threads - 1) / threads);
  add_up<<<blocks, threads, 0, stream(x.device())>>>(x.data_ptr<float>(),
                                                     sum.data_ptr<float>(), n);
  return sum;
}
