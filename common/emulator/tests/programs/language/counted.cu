// SPDX-License-Identifier: MIT
// Kernels whose memory requests docs/hardware/counts.py compares with a card's counters: one launch of each.
#include "verify.h"

constexpr int n = 8192;

__device__ int here() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void contiguous(const float* in, float* out) { out[here()] = in[here()]; }
__global__ void stride_2(const float* in, float* out) { out[here()] = in[2 * here()]; }
__global__ void stride_32(const float* in, float* out) { out[here()] = in[32 * here()]; }
__global__ void offset(const float* in, float* out) { out[here()] = in[here() + 1]; }
__global__ void broadcast(const float* in, float* out) { out[here()] = in[0]; }
__global__ void vector(const float4* in, float4* out) { out[here()] = in[here()]; }
template <int Padding>
__device__ void transpose(const float* in, float* out) {
  __shared__ float tile[32][32 + Padding];
  const int width = 32 * gridDim.x;
  tile[threadIdx.y][threadIdx.x] = in[(32 * blockIdx.y + threadIdx.y) * width + 32 * blockIdx.x + threadIdx.x];
  __syncthreads();
  out[(32 * blockIdx.x + threadIdx.y) * width + 32 * blockIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void transpose_plain(const float* in, float* out) { transpose<0>(in, out); }
__global__ void transpose_padded(const float* in, float* out) { transpose<1>(in, out); }
__global__ void reduction(const float* in, float* out) {
  __shared__ float sums[256];
  sums[threadIdx.x] = in[here()];
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}
__global__ void divergent(const float* in, float* out) {
  const int i = here();
  if (i % 2 == 0) {
    out[i] = in[i];
  } else {
    out[n + i] = in[n - i];
  }
}

int main() {
  float* in;
  float* out;
  CHECK(cudaMalloc(&in, 32 * n * sizeof(float)));
  CHECK(cudaMalloc(&out, 32 * n * sizeof(float)));
  CHECK(cudaMemset(in, 0, 32 * n * sizeof(float)));
  contiguous<<<n / 256, 256>>>(in, out);
  stride_2<<<n / 256, 256>>>(in, out);
  stride_32<<<n / 256, 256>>>(in, out);
  offset<<<n / 256, 256>>>(in, out);
  broadcast<<<n / 256, 256>>>(in, out);
  vector<<<n / 256, 256>>>(reinterpret_cast<const float4*>(in), reinterpret_cast<float4*>(out));
  transpose_plain<<<dim3(2, 2), dim3(32, 32)>>>(in, out);
  transpose_padded<<<dim3(2, 2), dim3(32, 32)>>>(in, out);
  reduction<<<n / 256, 256>>>(in, out);
  divergent<<<n / 256, 256>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  return passed();
}
