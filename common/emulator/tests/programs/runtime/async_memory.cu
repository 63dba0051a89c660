// SPDX-License-Identifier: MIT
// Memory in the order of a stream, pools, pointer attributes and host functions.
#include "verify.h"

__global__ void set(int* x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = i;
}

void CUDART_CB count(void* data) { ++*static_cast<int*>(data); }

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int *x, *pinned, calls = 0;
  CHECK(cudaMallocAsync(&x, 1000 * sizeof(int), stream));
  CHECK(cudaHostAlloc(&pinned, 1000 * sizeof(int), cudaHostAllocDefault));
  set<<<1, 128, 0, stream>>>(x, 1000);
  CHECK(cudaMemcpyAsync(pinned, x, 1000 * sizeof(int), cudaMemcpyDefault, stream));
  CHECK(cudaLaunchHostFunc(stream, count, &calls));
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, x));
  REQUIRE(attributes.type == cudaMemoryTypeDevice && attributes.device == 0);
  CHECK(cudaPointerGetAttributes(&attributes, pinned));
  REQUIRE(attributes.type == cudaMemoryTypeHost);
  CHECK(cudaPointerGetAttributes(&attributes, &calls));
  REQUIRE(attributes.type == cudaMemoryTypeUnregistered);
  CHECK(cudaFreeAsync(x, stream));
  CHECK(cudaStreamSynchronize(stream));
  REQUIRE(calls == 1);
  for (int i = 0; i < 1000; ++i) REQUIRE(pinned[i] == i);
  cudaMemPool_t pool;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long threshold = ~0ULL;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaStreamDestroy(stream));
  return passed();
}
