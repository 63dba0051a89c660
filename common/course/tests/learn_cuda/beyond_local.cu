// SPDX-License-Identifier: MIT
// A loop that goes one element too far in a local array, if the program has an argument.
#include <cstdio>

__global__ void add_up(int* out, int last) {
  int squares[8];
  for (int i = 0; i < 8; ++i) squares[i] = i * i;
  int sum = 0;
  for (int i = 0; i <= last; ++i) sum += squares[i];
  out[threadIdx.x] = sum;
}

int main(int count, char**) {
  int* out;
  cudaMalloc(&out, 4 * sizeof(int));
  add_up<<<1, 4>>>(out, count > 1 ? 8 : 7);
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
  return 0;
}
