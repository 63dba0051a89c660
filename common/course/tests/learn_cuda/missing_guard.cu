// SPDX-License-Identifier: MIT
// The last block has threads beyond the end of `out`, and nothing stops them. Without checks the program passes.
#include <cstdio>

__global__ void fill(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = n;
}

int main() {
  constexpr int n = 1024 - 24;
  float *out, *next;
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&next, n * sizeof(float));
  fill<<<4, 256>>>(out, n);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
