// SPDX-License-Identifier: MIT
// A .cpp file with a kernel, for the compiler of HIP, as its #include tells.
#include <hip/hip_runtime.h>

#include <cstdio>

int number_of_devices();

__global__ void square(int* x) { x[hipThreadIdx_x] *= x[hipThreadIdx_x]; }

int main() {
  int* x = nullptr;
  if (number_of_devices() != 1 || hipMallocManaged(&x, 4 * sizeof(int)) != hipSuccess) return 1;
  for (int i = 0; i < 4; ++i) x[i] = i;
  hipLaunchKernelGGL(square, 1, 4, 0, 0, x);
  const bool right = hipDeviceSynchronize() == hipSuccess && x[3] == 9;
  if (hipFree(x) != hipSuccess || !right) return 1;
  std::puts("PASSED");
}
