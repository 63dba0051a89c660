// SPDX-License-Identifier: MIT
// A kernel is called by a pointer, as a function.
#include <cstdio>

__global__ void set(int* x) { x[threadIdx.x] = 1; }

int main() {
  int* x = nullptr;
  cudaMalloc(&x, 400);
  void (*kernel)(int*) = set;
  std::printf("before\n");
  kernel(x);
  return 0;
}
