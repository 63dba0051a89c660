// SPDX-License-Identifier: MIT
// Kernels of several kinds, for the page of a report: templates, a header, shared memory with bank conflicts, vectors,
// atomics, a kernel without accesses, and one that is launched as often as the first argument says. The second argument
// is how many elements each of 65536 threads adds up.
#include <cstdio>
#include <cstdlib>

#include "scale.cuh"

template <int padding>
__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][32 + padding];
  const int column = blockIdx.x * 32 + threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += blockDim.y) tile[y][threadIdx.x] = in[(blockIdx.y * 32 + y) * n + column];
  __syncthreads();
  const int row = blockIdx.y * 32 + threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += blockDim.y) out[(blockIdx.x * 32 + y) * n + row] = tile[threadIdx.x][y];
}

namespace inner {
__global__ void columns(const float4* in, float* out, int* count, int n) {
  __shared__ double pairs[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || in == nullptr) return;  // "<" and "&" and 'quotes'
  const float4 value = in[i];
  if (threadIdx.x < 64) pairs[threadIdx.x] = value.x;
  out[i * 32 % n] = value.x + value.w;
  if (value.x < 0.5F) atomicAdd(count, 1);
}
}  // namespace inner

__global__ void nothing() {}

__global__ void add_up(const float* in, float* out, int steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int step = 0; step < steps; ++step) sum += in[(i * steps + step) % n];
  out[i % n] = sum;
}

int main(int count, char** arguments) {
  const int launches = count > 1 ? std::atoi(arguments[1]) : 1;
  const int steps = count > 2 ? std::atoi(arguments[2]) : 0;
  constexpr int n = 64;
  float *in, *out;
  int* counter;
  cudaMalloc(&in, n * n * sizeof(float));
  cudaMalloc(&out, n * n * sizeof(float));
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(in, 0, n * n * sizeof(float));
  cudaMemset(out, 0, n * n * sizeof(float));
  cudaMemset(counter, 0, sizeof(int));
  transpose<0><<<dim3(2, 2), dim3(32, 8)>>>(in, out, n);
  transpose<1><<<dim3(2, 2), dim3(32, 8)>>>(in, out, n);
  for (int size = 32; size <= 128; size *= 2)
    inner::columns<<<4, size>>>(reinterpret_cast<float4*>(in), out, counter, 4 * size);
  scale<float><<<16, 256>>>(out, n * n, 2.0F);
  scale<int><<<1, 32>>>(counter, 1, 2);
  nothing<<<1, 1>>>();
  for (int i = 0; i < launches; ++i) scale<double><<<1, 1 + i % 64>>>(reinterpret_cast<double*>(out), 64, 2.0);
  if (steps > 0) add_up<<<256, 256>>>(in, out, steps, n * n);
  const bool right = cudaDeviceSynchronize() == cudaSuccess;
  std::puts(right ? "PASSED" : "FAILED");
  return right ? 0 : 1;
}
