// What older programs use: shuffles without a mask, removed fields, profilers' marks.
#include <cuda_profiler_api.h>
#include <nvToolsExt.h>

#include "verify.h"

__global__ void sum_warp(int* values) {
  int value = values[threadIdx.x];
  for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_down(value, offset);
  if (__any(threadIdx.x == 3) && __ballot(1) == 0xffffffff && threadIdx.x == 0) values[0] = value;
}

int main() {
  nvtxRangePushA("all");
  cudaProfilerStart();
  int* values;
  cudaMallocManaged(&values, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) values[i] = i;
  sum_warp<<<1, 32>>>(values);
  cudaThreadSynchronize();
  verify(values[0] == 496, "shuffles without a mask");
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  verify(properties.clockRate > 0 && properties.memoryClockRate > 0, "fields that CUDA 13 removed");
  cudaProfilerStop();
  nvtxRangePop();
  return passed();
}
