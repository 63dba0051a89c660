// SPDX-License-Identifier: MIT
// Launches by cudaLaunchKernel, by pointers to kernels, in macros, and over several lines.
#include "verify.h"

#define LAUNCH(kernel, grid, block, ...) \
  kernel<<<grid, block>>>(__VA_ARGS__);  \
  CHECK(cudaGetLastError())

namespace inner {
__global__ void add(int* x, int y) { atomicAdd(x, y); }
}  // namespace inner

__global__ void optional(int* x, const int* y) {
  if (y == nullptr) atomicAdd(x, 1000);
}

struct Runner {
  void (*kernel)(int*, int);
  void run(int* x) { this->kernel<<<1, 1>>>(x, 100); }
};

int main() {
  int *x, h = 0;
  CHECK(cudaMalloc(&x, sizeof(int)));
  CHECK(cudaMemset(x, 0, sizeof(int)));
  inner::add<<<1, 2>>>(x, 1);  // 2; a comment with k<<<1, 1>>>(x)
  LAUNCH(inner::add, dim3(2, 1), 2, x, 5);
  void (*pointer)(int*, int) = &inner::add;
  (*pointer)<<<1, 1>>>(x, 10);
  Runner runner{inner::add};
  runner.run(x);
  optional<<<1, 1>>>(x, NULL);
  int y = 10000;
  void* arguments[] = {&x, &y};
  CHECK(cudaLaunchKernel((void*)inner::add, dim3(1), dim3(1), arguments, 0, 0));
  CHECK(cudaMemcpy(&h, x, sizeof h, cudaMemcpyDeviceToHost));
  REQUIRE(h == 2 + 20 + 10 + 100 + 1000 + 10000);
  CHECK(cudaFree(x));
  return passed();
}
