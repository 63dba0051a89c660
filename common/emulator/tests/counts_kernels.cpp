// SPDX-License-Identifier: MIT
// Kernels whose memory requests are calculated by hand. Compiled with the instrumentation.
#include "counts_kernels.h"

#include "cooperative_groups/memcpy_async.h"
#include "kernels.h"

namespace {
int global_index() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }
}  // namespace

__global__ void contiguous(const float* in, float* out) { out[global_index()] = in[global_index()]; }
__global__ void strided(const float* in, float* out, int stride) { out[global_index()] = in[global_index() * stride]; }
__global__ void offset_by_one(const float* in, float* out) { out[global_index()] = in[global_index() + 1]; }
__global__ void broadcast(const float* in, float* out) { out[global_index()] = in[0]; }
__global__ void pairs(const float* in, float* out) { out[global_index()] = in[global_index() / 2]; }
__global__ void four_floats(const float4* in, float4* out) {
  float4 value = in[global_index()];
  value.x *= 2;
  value.w += 1;
  out[global_index()] = value;
}
template <int Padding>
__global__ void transpose(const float* in, float* out, int n) {
  D2L_TEST_SHARED(tile, float[32][32 + Padding]);
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * 32;
  const int column = static_cast<int>(blockIdx.x) * 32;
  tile[y][x] = in[(row + y) * n + column + x];
  __syncthreads();
  out[(column + y) * n + row + x] = tile[x][y];
}
template __global__ void transpose<0>(const float*, float*, int);
template __global__ void transpose<1>(const float*, float*, int);
__global__ void histogram(const unsigned char* in, int* bins) { atomicAdd(&bins[in[global_index()]], 1); }
__global__ void reduction(const float* in, float* out) {
  D2L_TEST_SHARED(sums, float[256]);
  sums[threadIdx.x] = in[global_index()];
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}
__global__ void divergent(const float* in, float* out) {
  const int i = global_index();
  if (i % 2 == 0) {
    out[i] = in[i];
  } else {
    out[128 + i] = 1;
  }
}
__global__ void doubles(const double* in, double* out) { out[global_index()] = in[global_index()]; }
__global__ void bytes(const unsigned char* in, unsigned char* out) { out[global_index()] = in[global_index()]; }
__global__ void guarded(const float* in, float* out, int n) {
  const int i = global_index();
  if (i < n) out[i] = in[i];
}
__global__ void rows(const float* in, float* out, int pitch) {
  const int at = static_cast<int>(threadIdx.y) * pitch + static_cast<int>(threadIdx.x);
  out[at] = in[at];
}
__global__ void one_counter(int* counter) { atomicAdd(counter, 1); }
__global__ void one_counter_a_block(int* counters) {
  D2L_TEST_SHARED(sum, int[1]);
  if (threadIdx.x == 0) sum[0] = 0;
  __syncthreads();
  atomicAdd(&sum[0], 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&counters[blockIdx.x], sum[0]);
}
__global__ void shared_vectors(const float4* in, float4* out) {
  D2L_TEST_SHARED(tile, float4[64]);
  tile[threadIdx.x] = in[global_index()];
  __syncthreads();
  out[global_index()] = tile[63 - threadIdx.x];
}
__global__ void constant_vectors(float4* out) {
  D2L_TEST_SHARED(tile, float4[32]);
  tile[threadIdx.x] = make_float4(1, 2, 3, 4);
  out[threadIdx.x] = make_float4(0, 1, 2, 3);
}
__global__ void group_copy(const float* in, float* out) {
  D2L_TEST_SHARED(tile, float[256]);
  const auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, tile, in, sizeof(float) * 256);
  cooperative_groups::wait(block);
  out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void points(const Point* in, Point* out) { out[global_index()] = in[global_index()]; }
__global__ void long_loop(const float* in, float* out, int times) {
  float sum = 0;
  for (int k = 0; k < times; ++k) sum += in[k % 8 * 256 + global_index()];
  out[global_index()] = sum;
}
__global__ void shared_stride(float* out, int stride) {
  D2L_TEST_SHARED(tile, float[1024]);
  tile[threadIdx.x * static_cast<unsigned>(stride)] = 1;
  out[threadIdx.x] = 1;
}

__global__ void one_lane_an_iteration(const float* in, float* out) {
  for (unsigned i = 0; i < 32; ++i) {
    if (threadIdx.x == i) out[i] = in[i];
  }
}
__global__ void vectors_and_a_rest(const float* in, float* out, int n) {
  const auto* const in4 = reinterpret_cast<const float4*>(in);
  auto* const out4 = reinterpret_cast<float4*>(out);
  const int step = static_cast<int>(blockDim.x * gridDim.x);
  for (int i = global_index(); i < n / 4; i += step) out4[i] = in4[i];
  for (int i = n / 4 * 4 + global_index(); i < n; i += step) out[i] = in[i];
}
__global__ void backwards(const float* in, float* out, int n) {
  for (int i = n - 1 - global_index(); i >= 0; i -= static_cast<int>(blockDim.x * gridDim.x)) out[i] = in[i];
}
__global__ void tiles_of_a_warp(const float* in, float* out, int n) {
  D2L_TEST_SHARED(tile, float[32][33]);
  const unsigned lane = threadIdx.x;
  for (int at = 0; at < n; at += 1024) {
    for (int row = 0; row < 32; ++row) tile[row][lane] = in[at + row * 32 + static_cast<int>(lane)];
    __syncwarp();
    for (int row = 0; row < 32; ++row) out[at + row * 32 + static_cast<int>(lane)] = tile[lane][row];
    __syncwarp();
  }
}
__global__ void same_for_all(const float4* in, float* out, int queries, int keys) {
  const int query = global_index();
  if (query >= queries) return;
  float sum = 0;
  for (int k = 0; k < keys; ++k) {
    const float4 key = in[k];
    if (key.x > static_cast<float>(query)) sum += key.y;
    sum += key.z;
  }
  out[query] = sum;
}
__global__ void leaves_with_work(const float* in, float* out) {
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = 0; i < 100; ++i) {
    if (i == lane / 8) {
      out[lane] = 1;
      break;
    }
    out[lane + 64] = in[i];
  }
  out[lane + 128] = 2;
}
__global__ void continues(const float* in, float* out) {
  const int lane = static_cast<int>(threadIdx.x);
  int i = 0;
  while (i++ < 4) {
    if (lane % 4 == i - 1) continue;
    out[i * 32 + lane] = in[i];
  }
}
static __attribute__((noinline)) void depth_first(const float* in, float* out, int depth) {
  if (depth > 0) depth_first(in, out, depth - 1);
  out[threadIdx.x] = in[depth];
}
__global__ void recursion(const float* in, float* out) { depth_first(in, out, static_cast<int>(threadIdx.x) % 4); }
__global__ void halves(const float* in, float* out, int times) {
  const unsigned lane = threadIdx.x;
  const unsigned mask = lane < 16 ? 0x0000ffffU : 0xffff0000U;
  float sum = 0;
  for (int i = 0; i < times; ++i) {
    if (lane < 16) {
      sum += in[lane];
      __syncwarp(mask);
    } else {
      __syncwarp(mask);
      sum -= in[lane];
    }
  }
  out[lane] = sum;
}
__global__ void long_loop_of_one(const float* in, float* out, int times) {
  if (global_index() == 0) {
    for (int k = 0; k < times; ++k) out[k] = in[k];
  }
}
__global__ void long_loop_without_accesses(const int* in, int* out) {
  unsigned n = static_cast<unsigned>(in[threadIdx.x]);
  int steps = 0;
  for (; n > 1; ++steps) {
    if (n % 2 == 0) {
      n /= 2;
    } else {
      n = (n * 5 + 3) % 100003;
    }
    if (steps == 20000) break;
  }
  out[threadIdx.x] = steps;
}
