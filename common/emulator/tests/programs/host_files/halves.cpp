// SPDX-License-Identifier: MIT
// A kernel that calls a function of another file.
#include "verify.h"

__host__ __device__ int halve(int value);

__global__ void halve_all(int* values) { values[threadIdx.x] = halve(values[threadIdx.x]); }

int main() {
  int* values;
  cudaMallocManaged(&values, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) values[i] = 3 * i;
  halve_all<<<1, 32>>>(values);
  cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < 32; ++i) right = right && values[i] == halve(3 * i) && values[i] == 3 * i / 2;
  verify(right, "values that a function of another file halves");
  cudaFree(values);
  return passed();
}
