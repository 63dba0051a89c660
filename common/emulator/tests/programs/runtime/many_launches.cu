// SPDX-License-Identifier: MIT
// More launches than a queue holds: the host waits in the middle of them, while kernels of other streams begin.
#include "verify.h"

__global__ void increment(int* x) { x[threadIdx.x] += 1; }

int main() {
  constexpr int launches = 10000;
  int *x, *y, h = 0;
  CHECK(cudaMalloc(&x, 32 * sizeof(int)));
  CHECK(cudaMalloc(&y, 32 * sizeof(int)));
  CHECK(cudaMemset(x, 0, 32 * sizeof(int)));
  CHECK(cudaMemset(y, 0, 32 * sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  cudaEvent_t event;
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  for (int i = 0; i < launches; ++i) {
    increment<<<1, 32, 0, first>>>(x);
    CHECK(cudaEventRecord(event, first));
    CHECK(cudaStreamWaitEvent(second, event, 0));
    increment<<<1, 32, 0, second>>>(y);
    increment<<<1, 32, 0, second>>>(y);
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(&h, y + 31, sizeof h, cudaMemcpyDeviceToHost));
  REQUIRE(h == 2 * launches);
  return passed();
}
