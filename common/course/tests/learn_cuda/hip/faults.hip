// SPDX-License-Identifier: MIT
// Faults of a HIP program: the reports name HIP's functions.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void fill(int* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

int main(int count, char**) {
  int* out = nullptr;
  if (hipMalloc(&out, 1000 * sizeof(int)) != hipSuccess) return 1;
  if (count > 1) {
    int* pinned = nullptr;
    if (hipHostMalloc(&pinned, 64) != hipSuccess) return 1;
    if (count > 2) return 0;
    fill<<<1, 2000>>>(out);
    hipMemcpy(out, pinned, 8000, hipMemcpyHostToDevice);
    return 0;
  }
  fill<<<4, 256>>>(out);
  std::printf("%s\n", hipGetErrorString(hipDeviceSynchronize()));
  return 0;
}
