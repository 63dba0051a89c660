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
