// SPDX-License-Identifier: MIT
// Kernels that courses use often. `right` is false in the twin with a fault.
#pragma once

#include <cooperative_groups.h>
#include <curand_kernel.h>

#include <cub/cub.cuh>
#include <cuda/pipeline>

#include "programs.h"

namespace cg = cooperative_groups;

template <bool right>
__global__ void add_grid_stride(int n, float* y, const float* x) {
  const int stride = right ? gridDim.x * blockDim.x : blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] += x[i];
}

/// Keeps the even numbers: one atomic function for each warp.
template <bool right>
__global__ void filter_even(const int* in, int* out, int* count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || in[i] % 2 != 0) return;
  const cg::coalesced_group active = cg::coalesced_threads();
  int first = 0;
  if (active.thread_rank() == 0) {
    if constexpr (right) {
      first = atomicAdd(count, static_cast<int>(active.size()));
    } else {
      first = *count;
      *count = first + static_cast<int>(active.size());
    }
  }
  first = active.shfl(first, 0);
  out[first + active.thread_rank()] = in[i];
}

template <bool right>
__global__ void sum_by_tiles(const int* in, int* sums) {
  __shared__ int parts[256];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  parts[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  if constexpr (right) tile.sync();
  // Each thread begins with its neighbour's number.
  const unsigned base = threadIdx.x - tile.thread_rank();
  int sum = parts[base + (tile.thread_rank() + 1) % 16];
  for (unsigned step = tile.size() / 2; step > 0; step /= 2) sum += tile.shfl_down(sum, step);
  if (tile.thread_rank() == 0) atomicAdd(sums + blockIdx.x, sum);
}

/// Sums the columns of tiles of 64 numbers, of which the next is copied meanwhile.
template <bool right>
__global__ void sum_tiles_by_pipeline(const int* in, int* out, int tiles) {
  constexpr int stages = 2;
  __shared__ int buffers[stages][64];
  cuda::pipeline<cuda::thread_scope_thread> pipeline = cuda::make_pipeline();
  const int t = threadIdx.x;
  int sum = 0;
  for (int next = 0, tile = 0; tile < tiles; ++tile) {
    for (; next < tiles && next < tile + stages; ++next) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&buffers[next % stages][t], in + next * 64 + t, sizeof(int), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    __syncthreads();
    sum += buffers[tile % stages][63 - t];  // which another thread has copied
    if constexpr (right) __syncthreads();
    pipeline.consumer_release();
  }
  out[t] = sum;
}

template <int tile, bool right>
__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float part[tile][tile + 1];
  const int x = blockIdx.x * tile + threadIdx.x;
  const int y = blockIdx.y * tile + threadIdx.y;
  if (x < n && y < n) part[threadIdx.y][threadIdx.x] = in[y * n + x];
  if constexpr (right) __syncthreads();
  const int column = blockIdx.y * tile + threadIdx.x;
  const int row = blockIdx.x * tile + threadIdx.y;
  if (column < n && row < n) out[row * n + column] = part[threadIdx.x][threadIdx.y];
}

template <class Function>
__global__ void for_each_index(int n, Function function) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) function(i);
}

static __constant__ float weights[5];
static __global__ void smooth(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = -2; k <= 2; ++k) {
    if (i + k >= 0 && i + k < n) sum += weights[k + 2] * in[i + k];
  }
  out[i] = sum;
}

template <bool right>
__global__ void begin_generators(curandState* states, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (right && i >= n) return;
  curand_init(1234, i, 0, states + i);
}
static __global__ void count_in_circle(curandState* states, int n, int draws, int* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandState state = states[i];
  int inside = 0;
  for (int k = 0; k < draws; ++k) {
    const float x = curand_uniform(&state);
    const float y = curand_uniform(&state);
    inside += x * x + y * y <= 1 ? 1 : 0;
  }
  states[i] = state;
  atomicAdd(total, inside);
}

struct Node {
  int value;
  Node* next;
};
static __global__ void sum_list(const Node* first, int* out) {
  int sum = 0;
  for (const Node* node = first; node != nullptr; node = node->next) sum += node->value;
  *out = sum;
}

template <class T>
T* managed_array(int count) {
  T* x = nullptr;
  cudaMallocManaged(&x, count * sizeof(T));
  return x;
}
