// SPDX-License-Identifier: MIT
// Devices, properties, attributes and versions.
#include <cstring>

#include "verify.h"

int main() {
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
  REQUIRE(count >= 1);
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, i));
    REQUIRE(std::strlen(properties.name) > 0);
    REQUIRE(properties.warpSize == 32);
    REQUIRE(properties.maxThreadsPerBlock == 1024);
    REQUIRE(properties.sharedMemPerBlock == 48 * 1024);
    REQUIRE(properties.totalGlobalMem > 0);
    int value = 0;
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxBlockDimX, i));
    REQUIRE(value == properties.maxThreadsDim[0]);
    std::size_t free = 0, total = 0;
    CHECK(cudaSetDevice(i));
    CHECK(cudaMemGetInfo(&free, &total));
    REQUIRE(free <= total && total > 0);
  }
  REQUIRE(cudaSetDevice(count) == cudaErrorInvalidDevice);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidDevice);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  int driver = 0, runtime = 0;
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  REQUIRE(driver >= runtime);
  return passed();
}
