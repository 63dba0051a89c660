// SPDX-License-Identifier: MIT
// Launches by cudaLaunchKernel and its relatives, by pointers to kernels, in macros, over several lines, and with the
// brackets as older formatters write them.
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

__global__ void by_pointer(int* x, int y) { atomicAdd(x, y); }

template <class T>
__global__ void configured(T* x, T y) {
  atomicAdd(x, y);
}

__global__ void together(int* x) { atomicAdd(x, 1); }

/// Here the kernel's name is only known at run time.
cudaError_t launch_any(void (*kernel)(int*, int), void** arguments) {
  return cudaLaunchKernel(kernel, dim3(1), dim3(1), arguments, 0, 0);
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
  // clang-format off
  inner::add << <1, 2 >> > (x, 100000);
  configured<int> << < 1, 1 >>> (x, 100000);
  // clang-format on
  int y = 10000;
  void* arguments[] = {&x, &y};
  CHECK(cudaLaunchKernel((void*)inner::add, dim3(1), dim3(1), arguments, 0, 0));
  CHECK(launch_any(by_pointer, arguments));
  cudaLaunchConfig_t config = {};
  config.gridDim = config.blockDim = dim3(1);
  CHECK(cudaLaunchKernelExC(&config, (void*)configured<int>, arguments));
  CHECK(cudaLaunchKernelEx(&config, configured<int>, x, 1));
  CHECK(cudaLaunchCooperativeKernel((void*)together, dim3(2), dim3(1), arguments, 0, 0));
  // More blocks than any card holds at once.
  REQUIRE(cudaLaunchCooperativeKernel((void*)together, dim3(1000000), dim3(1), arguments, 0, 0) ==
          cudaErrorCooperativeLaunchTooLarge);
  REQUIRE(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaMemcpy(&h, x, sizeof h, cudaMemcpyDeviceToHost));
  REQUIRE(h == 2 + 20 + 10 + 100 + 1000 + 3 * 10000 + 1 + 2 + 3 * 100000);
  CHECK(cudaFree(x));
  return passed();
}
