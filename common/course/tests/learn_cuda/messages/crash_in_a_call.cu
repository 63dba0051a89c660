// SPDX-License-Identifier: MIT
// Calls of the runtime with wild pointers, which crash as on a card. The argument chooses one.
#include <cstdlib>

int main(int, char** arguments) {
  void* const wild = reinterpret_cast<void*>(0x1234);
  int* device = nullptr;
  cudaMalloc(&device, 400);
  const int which = std::atoi(arguments[1]);
  if (which == 0) cudaMemcpy(device, wild, 400, cudaMemcpyHostToDevice);
  if (which == 1) cudaMemcpy(wild, device, 400, cudaMemcpyDeviceToHost);
  if (which == 2) cudaMemcpyAsync(device, wild, 400, cudaMemcpyHostToDevice);
  if (which == 3) return cudaGetDeviceCount(static_cast<int*>(wild));
  return *device;
}
