// SPDX-License-Identifier: MIT
// The host crashes after a launch: there must be no page. With the argument "kernel", a kernel fails instead: the page
// has what was counted before.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void fill(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1;
}

__global__ void fail(float* out) {
  out[threadIdx.x] = 2;
  __trap();
}

int main(int count, char** arguments) {
  float* out;
  cudaMalloc(&out, 1000 * sizeof(float));
  fill<<<4, 256>>>(out, 1000);
  cudaDeviceSynchronize();
  if (count > 1 && std::strcmp(arguments[1], "kernel") == 0) {
    fail<<<1, 32>>>(out);
    std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
    return 1;
  }
  std::abort();
}
