// SPDX-License-Identifier: MIT
// 1: a kernel uses memory after cudaFreeAsync, in the order of the stream. 2: memory is never freed. 0: all is right.
#include <cstdio>
#include <cstdlib>

__global__ void set(int* x) { x[threadIdx.x] = 1; }

int main(int count, char** arguments) {
  const int mistake = count > 1 ? std::atoi(arguments[1]) : 0;
  const bool late = mistake == 1;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* x;
  cudaMallocAsync(&x, 32 * sizeof(int), stream);
  if (late) cudaFreeAsync(x, stream);
  set<<<1, 32, 0, stream>>>(x);
  if (!late) cudaFreeAsync(x, stream);
  for (int i = 0; i < 5; ++i) {
    float* y;
    cudaMalloc((void**)&y, 1000);
    if (mistake != 2 || i < 2) cudaFree(y);
  }
  double* z;
  cudaMallocHost(&z, 100 * sizeof(double));
  if (mistake != 2) cudaFreeHost(z);
  std::puts(cudaGetErrorString(cudaStreamSynchronize(stream)));
  return 0;
}
