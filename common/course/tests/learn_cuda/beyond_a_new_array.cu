// SPDX-License-Identifier: MIT
#include <cstdio>

__global__ void fill(int n, int* sum) {
  int* own = new int[n];
  for (int i = 0; i <= n; ++i) own[i] = i;
  for (int i = 0; i < n; ++i) *sum += own[i];
  delete[] own;
}

int main() {
  int* sum;
  cudaMallocManaged(&sum, sizeof *sum);
  fill<<<1, 1>>>(100, sum);
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
