// SPDX-License-Identifier: MIT
// Races on variables that are no arrays, and on one that is. The argument chooses one.
#include <cstdio>
#include <cstdlib>

__device__ int total;
__device__ int table[2];
__managed__ int flag;

__global__ void add(int which) {
  __shared__ int part;
  if (threadIdx.x == 0) part = 0;
  __syncthreads();
  if (which == 0) total += 1;
  if (which == 1) part += 1;
  if (which == 2) flag += 1;
  if (which == 3) table[1] += 1;
  if (which == 4) (&total)[3] = 1;
}

int main(int, char** arguments) {
  add<<<1, 32>>>(std::atoi(arguments[1]));
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
