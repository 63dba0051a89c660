// SPDX-License-Identifier: MIT
// A lane that is right for warps of 32 only. No check can find it while the kernel runs.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void number_lanes(int* out) {
  const int lane = threadIdx.x % 32;
  out[threadIdx.x] = lane;
}

int main() {
  int* out;
  if (hipMalloc(&out, 64 * sizeof(int)) != hipSuccess) return 1;
  number_lanes<<<1, 64>>>(out);
  const bool right = hipDeviceSynchronize() == hipSuccess && hipFree(out) == hipSuccess;
  std::printf("%s\n", right ? "ENDED" : "FAILED");
  return right ? 0 : 1;
}
