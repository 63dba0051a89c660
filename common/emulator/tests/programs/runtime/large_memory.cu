// SPDX-License-Identifier: MIT
// A device with the memory of a card: large allocations that are used in a few places, and the end of its memory.
#include <vector>

#include "verify.h"

__global__ void set(int* x, std::size_t i) { x[i] = 7; }

int main() {
  std::size_t free = 0, total = 0;
  CHECK(cudaMemGetInfo(&free, &total));
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  verify(properties.totalGlobalMem == total, "the memory of a device");
  const std::size_t count = std::size_t{3} << 28;  // 3 GiB
  verify(free > 5 * count * sizeof(int), "a device of 16 GiB");
  int* parts[4];
  for (int*& part : parts) CHECK(cudaMalloc(&part, count * sizeof(int)));
  std::size_t free_now = 0;
  CHECK(cudaMemGetInfo(&free_now, &total));
  verify(free - free_now >= 4 * count * sizeof(int), "what is free");
  for (int* part : parts) set<<<1, 1>>>(part, count - 1);
  CHECK(cudaDeviceSynchronize());
  for (int* part : parts) {
    int value = 0;
    CHECK(cudaMemcpy(&value, part + count - 1, sizeof value, cudaMemcpyDeviceToHost));
    verify(value == 7, "the last element");
  }
  int* more = nullptr;
  verify(cudaMalloc(&more, total) == cudaErrorMemoryAllocation, "more than there is");
  verify(cudaGetLastError() == cudaErrorMemoryAllocation, "the error");
  for (int* part : parts) CHECK(cudaFree(part));
  CHECK(cudaMemGetInfo(&free_now, &total));
  verify(free_now == free, "all is free again");
  return passed();
}
