// SPDX-License-Identifier: MIT
// 1: a kernel uses memory after cudaFreeAsync, in the order of the stream; without an argument, nothing is wrong.
#include <cstdio>
#include <cstdlib>

__global__ void set(int* x) { x[threadIdx.x] = 1; }

int main(int count, char** arguments) {
  const bool late = count > 1 && std::atoi(arguments[1]) == 1;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* x;
  cudaMallocAsync(&x, 32 * sizeof(int), stream);
  if (late) cudaFreeAsync(x, stream);
  set<<<1, 32, 0, stream>>>(x);
  if (!late) cudaFreeAsync(x, stream);
  std::puts(cudaGetErrorString(cudaStreamSynchronize(stream)));
  return 0;
}
