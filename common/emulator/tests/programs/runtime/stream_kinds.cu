// SPDX-License-Identifier: MIT
// Streams with priorities, the named default streams, callbacks, and queries of events.
#include "verify.h"

__global__ void add(int* x, int y) { atomicAdd(x, y); }

void CUDART_CB note(cudaStream_t, cudaError_t error, void* data) {
  *static_cast<int*>(data) = error == cudaSuccess ? 5 : -1;
}

int main() {
  int least = 1, greatest = 1, priority = 1, noted = 0, h = 0, *x;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  REQUIRE(least >= greatest);
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
  CHECK(cudaStreamGetPriority(stream, &priority));
  REQUIRE(priority == greatest);

  CHECK(cudaMalloc(&x, sizeof(int)));
  CHECK(cudaMemset(x, 0, sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  add<<<1, 1, 0, stream>>>(x, 1);
  CHECK(cudaStreamAddCallback(stream, note, &noted, 0));
  cudaEvent_t event;
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  CHECK(cudaEventRecord(event, stream));
  CHECK(cudaEventSynchronize(event));
  REQUIRE(cudaEventQuery(event) == cudaSuccess && noted == 5);

  add<<<1, 1, 0, cudaStreamLegacy>>>(x, 10);
  add<<<1, 1, 0, cudaStreamPerThread>>>(x, 100);
  CHECK(cudaStreamSynchronize(cudaStreamPerThread));
  CHECK(cudaMemcpy(&h, x, sizeof h, cudaMemcpyDeviceToHost));
  REQUIRE(h == 111);
  CHECK(cudaEventDestroy(event));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(x));
  return passed();
}
