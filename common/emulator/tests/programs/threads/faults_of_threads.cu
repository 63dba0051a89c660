// A fault names the thread that made it, though other threads ran before it and some wait.
#include "verify.h"

__global__ void fault(int* out, int* nowhere, bool some_wait) {
  if (some_wait && threadIdx.x % 2 == 0) __syncthreads();
  if (blockIdx.x == 3 && threadIdx.x == 77) out = nowhere;
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main(int count, char**) {
  int* out;
  cudaMalloc(&out, 8 * 128 * sizeof(int));
  fault<<<8, 128>>>(out, nullptr, count > 1);
  verify(cudaDeviceSynchronize() == cudaErrorIllegalAddress, "a null pointer is an illegal address");
  return passed();
}
