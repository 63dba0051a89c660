// SPDX-License-Identifier: MIT
// A file of HIP whose name ends as one of CUDA: it needs --hip.
#if defined(__HIPCC__) && !defined(__CUDACC__)
#include <hip/hip_runtime.h>
#else
#include <cuda_runtime.h>
#endif

#include <cstdio>

__global__ void square(int* x) { x[threadIdx.x] *= x[threadIdx.x]; }

int main() {
  int* x = nullptr;
  if (hipMallocManaged(&x, 4 * sizeof(int)) != hipSuccess) return 1;
  for (int i = 0; i < 4; ++i) x[i] = i;
  square<<<1, 4>>>(x);
  const bool right = hipDeviceSynchronize() == hipSuccess && x[3] == 9;
  if (hipFree(x) != hipSuccess || !right) return 1;
  std::puts("PASSED");
}
