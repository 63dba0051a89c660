// SPDX-License-Identifier: MIT
// The driver's functions for contexts, memory, streams and events, beside the runtime's.
#include <cuda.h>

#include <cstring>
#include <vector>

#include "verify.h"

#define DRIVER(call) REQUIRE((call) == CUDA_SUCCESS)

__global__ void add(int* values, int count, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] += value;
}

void verify_contexts() {
  DRIVER(cuInit(0));
  CUdevice device;
  DRIVER(cuDeviceGet(&device, 0));
  CUcontext context = nullptr, current = nullptr, popped = nullptr;
  DRIVER(cuDevicePrimaryCtxRetain(&context, device));
  REQUIRE(context != nullptr);
  DRIVER(cuCtxSetCurrent(context));
  DRIVER(cuCtxGetCurrent(&current));
  REQUIRE(current == context);
  DRIVER(cuCtxPushCurrent(context));
  CUdevice of_context = -1;
  DRIVER(cuCtxGetDevice(&of_context));
  REQUIRE(of_context == device);
  DRIVER(cuCtxPopCurrent(&popped));
  REQUIRE(popped == context);
  unsigned flags = 0;
  int active = 0;
  DRIVER(cuDevicePrimaryCtxGetState(device, &flags, &active));
  REQUIRE(active == 1);
  int major = 0, threads = 0;
  DRIVER(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  DRIVER(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, device));
  REQUIRE(major >= 5 && threads == 1024);
  const char* name = nullptr;
  DRIVER(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &name));
  REQUIRE(std::strcmp(name, "CUDA_ERROR_ILLEGAL_ADDRESS") == 0);
}

void verify_memory() {
  constexpr int n = 1000;
  CUdeviceptr memory = 0, base = 0;
  DRIVER(cuMemAlloc(&memory, n * sizeof(int)));
  REQUIRE(cuMemAlloc(&base, 0) == CUDA_ERROR_INVALID_VALUE);
  std::size_t bytes = 0;
  DRIVER(cuMemGetAddressRange(&base, &bytes, memory + 40));
  REQUIRE(base == memory && bytes == n * sizeof(int));
  DRIVER(cuMemGetAddressRange(nullptr, &bytes, memory));
  int on_stack = 0;
  REQUIRE(cuMemGetAddressRange(&base, &bytes, (CUdeviceptr)&on_stack) != CUDA_SUCCESS);

  CUmemorytype type;
  DRIVER(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory + 4));
  REQUIRE(type == CU_MEMORYTYPE_DEVICE);
  CUdeviceptr start = 0;
  DRIVER(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, memory + 4));
  DRIVER(cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, memory + 4));
  REQUIRE(start == memory && bytes == n * sizeof(int));
  cudaPointerAttributes attributes;  // the runtime's view of the same address
  CHECK(cudaPointerGetAttributes(&attributes, (void*)(memory + 4)));
  REQUIRE(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == (void*)(memory + 4));

  CUstream stream;
  CUevent start_event, stop_event;
  DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  DRIVER(cuEventCreate(&start_event, CU_EVENT_DEFAULT));
  DRIVER(cuEventCreate(&stop_event, CU_EVENT_DEFAULT));
  DRIVER(cuEventRecord(start_event, stream));
  DRIVER(cuMemsetD32Async(memory, 0x01020304, n, stream));
  add<<<(n + 255) / 256, 256, 0, stream>>>((int*)memory, n, 1);
  int* host = nullptr;
  DRIVER(cuMemAllocHost((void**)&host, n * sizeof(int)));
  DRIVER(cuMemcpyDtoHAsync(host, memory, n * sizeof(int), stream));
  DRIVER(cuEventRecord(stop_event, stream));
  DRIVER(cuEventSynchronize(stop_event));
  DRIVER(cuStreamSynchronize(stream));
  DRIVER(cuStreamQuery(stream));
  float milliseconds = -1;
  DRIVER(cuEventElapsedTime(&milliseconds, start_event, stop_event));
  REQUIRE(milliseconds >= 0);
  for (int i = 0; i < n; ++i) REQUIRE(host[i] == 0x01020305);

  CUdeviceptr other = 0;
  DRIVER(cuMemAlloc(&other, n * sizeof(int)));
  DRIVER(cuMemsetD16(other, 0x1234, 2 * n));
  DRIVER(cuMemcpyDtoD(memory, other, n * sizeof(int) / 2));
  DRIVER(cuMemsetD8(memory, 0xab, 1));
  std::vector<unsigned> result(n);
  DRIVER(cuMemcpyDtoH(result.data(), memory, n * sizeof(int)));
  REQUIRE(result[0] == 0x123412ab && result[1] == 0x12341234 && result[n - 1] == 0x01020305);
  REQUIRE(cuMemsetD32(other + 1, 0, 1) == CUDA_ERROR_INVALID_VALUE);

  CUdeviceptr managed = 0;
  DRIVER(cuMemAllocManaged(&managed, 16, CU_MEM_ATTACH_GLOBAL));
  unsigned is_managed = 0;  // the driver writes an unsigned int or a bool
  DRIVER(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
  REQUIRE((is_managed & 1) == 1);
  DRIVER(cuEventDestroy(start_event));
  DRIVER(cuEventDestroy(stop_event));
  DRIVER(cuStreamDestroy(stream));
  DRIVER(cuMemFreeHost(host));
  for (CUdeviceptr each : {memory, other, managed}) DRIVER(cuMemFree(each));
}

int main() {
  verify_contexts();
  verify_memory();
  return passed();
}
