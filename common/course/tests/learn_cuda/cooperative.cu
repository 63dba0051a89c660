// SPDX-License-Identifier: MIT
// The blocks of a cooperative launch meet at grid.sync(): each reads what the next one wrote.
#include <cooperative_groups.h>

#include <cstdio>

__global__ void rotate(int* values, int* out) {
  values[blockIdx.x] = blockIdx.x;
  cooperative_groups::this_grid().sync();
  out[blockIdx.x] = values[(blockIdx.x + 1) % gridDim.x];
}

int main() {
  int *values, *out, host[8];
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&out, sizeof host);
  void* arguments[] = {&values, &out};
  if (cudaLaunchCooperativeKernel((void*)rotate, dim3(8), dim3(1), arguments, 0, nullptr) != cudaSuccess) return 1;
  if (cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  for (int i = 0; i < 8; ++i) {
    if (host[i] != (i + 1) % 8) return 1;
  }
  std::puts("PASSED");
  return 0;
}
