// SPDX-License-Identifier: MIT
// The kernel writes beyond its array, and the program does not look at any error.
#include <cstdio>

__global__ void fill(float* out) { out[threadIdx.x] = 1; }

int main() {
  float host[64];
  float* out;
  cudaMalloc(&out, 63 * sizeof(float));
  fill<<<1, 64>>>(out);
  cudaMemcpy(host, out, 63 * sizeof(float), cudaMemcpyDeviceToHost);
  std::puts("finished");
  return 0;
}
