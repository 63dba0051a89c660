// SPDX-License-Identifier: MIT
// A kernel, events and memory of another device than the current one. The argument chooses.
#include <cstdio>
#include <cstdlib>

__global__ void set(int* x) { x[threadIdx.x] = 1; }

int main(int, char** arguments) {
  const int which = std::atoi(arguments[1]);
  int* memory;
  cudaStream_t stream;
  cudaEvent_t events[2];
  cudaMalloc(&memory, 400);
  cudaStreamCreate(&stream);
  cudaEventCreate(&events[0]);
  cudaSetDevice(1);
  cudaEventCreate(&events[1]);
  if (which == 0) set<<<1, 32, 0, stream>>>(memory);
  if (which == 1) set<<<1, 32>>>(memory);
  if (which == 2) cudaEventRecord(events[1], stream);
  float milliseconds = 0;
  if (which == 3) cudaEventElapsedTime(&milliseconds, events[0], events[1]);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
