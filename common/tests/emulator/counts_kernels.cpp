// SPDX-License-Identifier: MIT
// Kernels whose memory requests are calculated by hand. Compiled with the instrumentation.
#include "counts_kernels.h"

#include "kernels.h"

namespace {
int global_index() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }
}  // namespace

__global__ void contiguous(const float* in, float* out) { out[global_index()] = in[global_index()]; }
__global__ void strided(const float* in, float* out, int stride) { out[global_index()] = in[global_index() * stride]; }
__global__ void offset_by_one(const float* in, float* out) { out[global_index()] = in[global_index() + 1]; }
__global__ void broadcast(const float* in, float* out) { out[global_index()] = in[0]; }
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
