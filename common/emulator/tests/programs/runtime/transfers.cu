// SPDX-License-Identifier: MIT
// The other copies, memsets and allocations: in three dimensions, between devices, from a pool, of registered memory.
#include <vector>

#include "verify.h"

__device__ int variable;

/// Box of bytes: what cudaMemcpy3D copies.
void box() {
  const cudaExtent size = make_cudaExtent(5 * sizeof(int), 4, 3);
  cudaPitchedPtr there;
  CHECK(cudaMalloc3D(&there, size));
  CHECK(cudaMemset3D(there, 0, size));
  std::vector<int> from(60), back(60, -1);
  for (int i = 0; i < 60; ++i) from[i] = i;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(from.data(), 5 * sizeof(int), 5, 4);
  copy.dstPtr = there;
  copy.extent = size;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  copy.srcPtr = there;
  copy.dstPtr = make_cudaPitchedPtr(back.data(), 5 * sizeof(int), 5, 4);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3DAsync(&copy, nullptr));
  CHECK(cudaDeviceSynchronize());
  REQUIRE(back == from);
  CHECK(cudaFree(there.ptr));
}

/// Memory that the program sees as const elements, which only copies write.
void of_constants() {
  const int values[] = {3, 4, 5};
  const int* device;
  const int* managed;
  std::size_t pitch = 0;
  const float* rows;
  CHECK(cudaMalloc(&device, sizeof values));
  CHECK(cudaMallocManaged(&managed, sizeof values));
  CHECK(cudaMallocPitch(&rows, &pitch, 8, 2));
  CHECK(cudaMemcpy((void*)device, values, sizeof values, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy((void*)managed, device, sizeof values, cudaMemcpyDefault));
  CHECK(cudaDeviceSynchronize());
  REQUIRE(managed[0] == 3 && managed[2] == 5);
  CHECK(cudaFree((void*)device));
  CHECK(cudaFree((void*)managed));
  CHECK(cudaFree((void*)rows));
}

void in_streams() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaMemPool_t pool;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  int *x, *y;
  CHECK(cudaMallocFromPoolAsync(&x, 40 * sizeof(int), pool, stream));
  CHECK(cudaMallocAsync(&y, 40 * sizeof(int), stream));
  CHECK(cudaMemsetAsync(x, 1, 40 * sizeof(int), stream));
  CHECK(cudaMemcpyAsync(y, x, 40 * sizeof(int), cudaMemcpyDeviceToDevice, stream));
  int host[40] = {};
  CHECK(cudaHostRegister(host, sizeof host, cudaHostRegisterDefault));
  CHECK(cudaMemcpyAsync(host, y, sizeof host, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaMemcpyToSymbolAsync(variable, host, sizeof(int), 0, cudaMemcpyHostToDevice, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaHostUnregister(host));
  REQUIRE(host[0] == 0x01010101 && host[39] == 0x01010101);
  int back = 0;
  CHECK(cudaMemcpyFromSymbolAsync(&back, variable, sizeof back, 0, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  REQUIRE(back == 0x01010101);
  CHECK(cudaFreeAsync(x, stream));
  CHECK(cudaFreeAsync(y, stream));
  CHECK(cudaStreamDestroy(stream));
}

void between_devices() {
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  if (devices < 2) return;
  int can = -1, *here, *there, host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {};
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
  REQUIRE(can == 0 || can == 1);
  CHECK(cudaMalloc(&here, sizeof host));
  CHECK(cudaSetDevice(1));
  CHECK(cudaMalloc(&there, sizeof host));
  CHECK(cudaMemcpy(here, host, sizeof host, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyPeer(there, 1, here, 0, sizeof host));
  CHECK(cudaMemcpyPeerAsync(here, 0, there, 1, sizeof host / 2, nullptr));
  CHECK(cudaMemcpy(back, there, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; ++i) REQUIRE(back[i] == host[i]);
  CHECK(cudaFree(there));
  CHECK(cudaSetDevice(0));
  CHECK(cudaFree(here));
}

int main() {
  box();
  of_constants();
  in_streams();
  between_devices();
  CHECK(cudaDeviceReset());
  return passed();
}
