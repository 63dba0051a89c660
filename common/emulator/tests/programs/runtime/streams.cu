// SPDX-License-Identifier: MIT
// Copies and kernels in several streams, with pinned memory, and an event between two streams.
#include "verify.h"

__global__ void twice(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

int main() {
  const int parts = 4, n = 4096;
  int *h, *d;
  CHECK(cudaMallocHost(&h, parts * n * sizeof(int)));
  CHECK(cudaMalloc(&d, parts * n * sizeof(int)));
  for (int i = 0; i < parts * n; ++i) h[i] = i;
  cudaStream_t streams[parts];
  for (auto& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int k = 0; k < parts; ++k) {
    int* const part = d + k * n;
    CHECK(cudaMemcpyAsync(part, h + k * n, n * sizeof(int), cudaMemcpyHostToDevice, streams[k]));
    twice<<<n / 256, 256, 0, streams[k]>>>(part, n);
    CHECK(cudaMemcpyAsync(h + k * n, part, n * sizeof(int), cudaMemcpyDeviceToHost, streams[k]));
  }
  cudaEvent_t done;
  CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  CHECK(cudaEventRecord(done, streams[0]));
  CHECK(cudaStreamWaitEvent(streams[1], done, 0));
  twice<<<n / 256, 256, 0, streams[1]>>>(d, n);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < parts * n; ++i) REQUIRE(h[i] == 2 * i);
  CHECK(cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) REQUIRE(h[i] == 4 * i);
  for (auto stream : streams) {
    REQUIRE(cudaStreamQuery(stream) == cudaSuccess);
    CHECK(cudaStreamDestroy(stream));
  }
  CHECK(cudaEventDestroy(done));
  CHECK(cudaFreeHost(h));
  CHECK(cudaFree(d));
  return passed();
}
