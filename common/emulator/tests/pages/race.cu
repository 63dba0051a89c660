// SPDX-License-Identifier: MIT
// A race within a block, after a barrier, and with the argument "blocks" one between blocks.
#include <cstdio>

__global__ void shift(const float* in, float* out) {
  __shared__ float values[64];
  values[threadIdx.x] = 0;
  __syncthreads();
  values[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = values[(threadIdx.x + 1) % 64];
}

__global__ void add_up(const float* in, float* sum) {
  if (threadIdx.x == 0) *sum = *sum + in[blockIdx.x];
}

int main(int count, char**) {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  cudaMemset(out, 0, 64 * sizeof(float));
  if (count == 1) shift<<<1, 64>>>(in, out);
  if (count > 1) add_up<<<4, 32>>>(in, out);
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
