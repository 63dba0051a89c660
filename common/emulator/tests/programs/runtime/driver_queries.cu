// SPDX-License-Identifier: MIT
// The driver's functions that programs use beside the runtime: errors, devices, memory.
#include <cuda.h>

#include <cstring>

#include "verify.h"

int main() {
  REQUIRE(cuInit(0) == CUDA_SUCCESS);
  int count = 0;
  REQUIRE(cuDeviceGetCount(&count) == CUDA_SUCCESS && count >= 1);
  CUdevice device = -1;
  REQUIRE(cuDeviceGet(&device, count) == CUDA_ERROR_INVALID_DEVICE);
  REQUIRE(cuDeviceGet(&device, 0) == CUDA_SUCCESS);
  char name[256];
  REQUIRE(cuDeviceGetName(name, sizeof name, device) == CUDA_SUCCESS && std::strlen(name) > 0);
  std::size_t total = 0;
  REQUIRE(cuDeviceTotalMem(&total, device) == CUDA_SUCCESS && total > 0);
  int warp = 0;
  REQUIRE(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device) == CUDA_SUCCESS && warp == 32);
  const char* text = nullptr;
  REQUIRE(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text) == CUDA_SUCCESS && std::strcmp(text, "out of memory") == 0);
  CHECK(cudaSetDevice(0));
  CHECK(cudaFree(nullptr));
  CUdeviceptr memory = 0;
  REQUIRE(cuMemAlloc(&memory, 16) == CUDA_SUCCESS);
  const int sent[4] = {1, 2, 3, 4};
  int received[4] = {};
  REQUIRE(cuMemcpyHtoD(memory, sent, sizeof sent) == CUDA_SUCCESS);
  REQUIRE(cuMemcpyDtoH(received, memory, sizeof received) == CUDA_SUCCESS);
  REQUIRE(std::memcmp(sent, received, sizeof sent) == 0);
  REQUIRE(cuMemFree(memory) == CUDA_SUCCESS);
  return passed();
}
