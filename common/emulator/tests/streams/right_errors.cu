// SPDX-License-Identifier: MIT
// Errors that the program looks at, and calls that are right.
#include "programs.h"

static __device__ int variable[4];

PROGRAM(launch_too_large, "") {
  fill<<<1, 2048>>>(device_memory(2048), 1);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidConfiguration);
  fill<<<2, 1024>>>(device_memory(2048), 1);
  cudaDeviceSynchronize();
}
PROGRAM(too_much_shared_memory, "") {
  cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
  fill<<<1, 256, 100000>>>(device_memory(), 1);
  REQUIRE(cudaPeekAtLastError() == cudaSuccess);
  cudaDeviceSynchronize();
}
PROGRAM(direction_found_by_itself, "") {
  int* x = device_memory();
  std::vector<int> h(n);
  cudaMemcpy(x, h.data(), bytes, cudaMemcpyDefault);
}
PROGRAM(freed_twice, "") {
  int* x = device_memory();
  cudaFree(x);
  x = nullptr;
  cudaFree(x);
}
PROGRAM(error_shown, "") {
  int* x = device_memory();
  const cudaError_t e = cudaFree(x + 4);
  if (e != cudaSuccess) std::printf("%s\n", cudaGetErrorString(e));
  cudaGetLastError();
  cudaFree(x);
}
PROGRAM(smaller_if_there_is_too_little, "") {
  void* x = nullptr;
  if (cudaMalloc(&x, std::size_t{1} << 50) != cudaSuccess) REQUIRE(cudaMalloc(&x, bytes) == cudaSuccess);
  cudaMemset(x, 0, bytes);
  cudaDeviceSynchronize();
}
PROGRAM(stale_error_of_a_handled_call, "") {
  void* x = nullptr;
  if (cudaMalloc(&x, std::size_t{1} << 50) != cudaSuccess) cudaGetLastError();
  fill<<<4, 256>>>(device_memory(), 1);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  cudaDeviceSynchronize();
}
PROGRAM(peer_access_is_enabled_already, "") {
  cudaDeviceEnablePeerAccess(1, 0);
  cudaDeviceEnablePeerAccess(1, 0);
}
PROGRAM(no_symbol, "") {
  int values[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(variable, values, sizeof values);
  cudaMemcpyFromSymbol(values, variable, 8, 8);
  REQUIRE(values[0] == 3);
}

struct View {
  int* data;
  int length;
};
static __global__ void fill_view(const View& view, int value) { view.data[threadIdx.x] = value; }
static __global__ void lengthen(View& view) { ++view.length; }
PROGRAM(parameter_is_a_reference, "") {
  View* view = nullptr;
  cudaMallocManaged(&view, sizeof(View));
  *view = {managed_memory(), 5};
  fill_view<<<1, 1>>>(*view, 7);
  lengthen<<<1, 1>>>(*view);
  cudaDeviceSynchronize();
  REQUIRE(view->data[0] == 7 && view->length == 6);
}
template <class T>
static __global__ void add_to(T& number, int value) {
  number += value;
}
static __managed__ int managed_number = 3;
PROGRAM(parameter_of_a_template_is_a_reference, "") {
  add_to<<<1, 1>>>(managed_number, 1);
  int* const pinned = pinned_memory();
  add_to<<<1, 1>>>(*pinned, 5);
  int* const device = device_memory();
  add_to<<<1, 1>>>(device[3], 6);
  cudaDeviceSynchronize();
  REQUIRE(managed_number == 4 && *pinned == 5);
  int number = 0;
  cudaMemcpy(&number, device + 3, sizeof(int), cudaMemcpyDeviceToHost);
  REQUIRE(number == 6);
}
