// SPDX-License-Identifier: MIT
// Errors of calls and launches that the program does not look at.
#include "programs.h"

static __device__ int variable[4];

PROGRAM(launch_too_large, "^unread error .*the launch of fill failed .* at most 1024 threads, and this one 2048") {
  LATER;
  fill<<<1, 2048>>>(device_memory(2048), 1);
  cudaDeviceSynchronize();
}
PROGRAM(launch_of_no_blocks, "^unread error .*0 blocks") {
  LATER;
  fill<<<0, 256>>>(device_memory(), 1);
  cudaDeviceSynchronize();
}
PROGRAM(too_much_shared_memory, "^unread error .*100000 bytes of dynamic shared memory .*cudaFuncSetAttribute") {
  LATER;
  fill<<<1, 256, 100000>>>(device_memory(), 1);
  cudaDeviceSynchronize();
}
PROGRAM(wrong_direction, "^unread error .*cudaMemcpy failed .*destination is memory of a device.*source pageable") {
  int* x = device_memory();
  std::vector<int> h(n);
  LATER;
  cudaMemcpy(x, h.data(), bytes, cudaMemcpyDeviceToHost);
}
PROGRAM(swapped_arguments, "^unread error .*cudaMemcpy failed .*destination is pageable") {
  int* x = device_memory();
  std::vector<int> h(n);
  LATER;
  cudaMemcpy(h.data(), x, bytes, cudaMemcpyHostToDevice);
}
PROGRAM(copy_of_too_much, "^unread error .*cudaMemcpy failed .*8192 bytes from byte 0 on do not fit") {
  int* x = device_memory();
  std::vector<int> h(2 * n);
  LATER;
  cudaMemcpy(h.data(), x, 2 * bytes, cudaMemcpyDeviceToHost);
}
PROGRAM(freed_twice, "^unread error .*cudaFree failed .*freed already") {
  int* x = device_memory();
  cudaFree(x);
  LATER;
  cudaFree(x);
}
PROGRAM(freed_twice_in_a_stream, "^unread error .*cudaFreeAsync failed .*freed already") {
  cudaStream_t a = stream();
  int* x;
  cudaMallocAsync(&x, bytes, a);
  cudaFreeAsync(x, a);
  LATER;
  cudaFreeAsync(x, a);
  cudaStreamSynchronize(a);
}
PROGRAM(freed_in_the_middle, "^unread error .*cudaFree failed .*16 bytes behind the begin") {
  int* x = device_memory();
  LATER;
  cudaFree(x + 4);
}
PROGRAM(pinned_freed_as_device_memory, "^unread error .*cudaFree failed .*use cudaFreeHost") {
  int* h = pinned_memory();
  LATER;
  cudaFree(h);
}
PROGRAM(device_memory_freed_as_pinned, "^unread error .*cudaFreeHost failed .*use cudaFree") {
  int* x = device_memory();
  LATER;
  cudaFreeHost(x);
}
PROGRAM(no_symbol, "^unread error .*cudaMemcpyToSymbol failed .*must be a variable with __device__") {
  int local[4] = {}, values[4] = {};
  LATER;
  cudaMemcpyToSymbol(local, values, sizeof values);
}
PROGRAM(too_much_for_a_symbol, "^unread error .*cudaMemcpyToSymbol failed .*do not fit variable, which has 16") {
  int values[5] = {};
  LATER;
  cudaMemcpyToSymbol(variable, values, sizeof values);
}
PROGRAM(memset_of_host_memory, "^unread error .*cudaMemset failed .*not memory of the device") {
  static int h[4];
  LATER;
  cudaMemset(h, 0, sizeof h);
}
PROGRAM(stale_error, "^error read too late .*the launch of fill failed .*cudaGetLastError at .*after cudaMalloc at") {
  int *x = nullptr, *y = device_memory();
  LATER;
  fill<<<1, 2048>>>(y, 1);
  if (cudaMalloc(&x, bytes) != cudaSuccess) std::exit(3);
  if (cudaGetLastError() != cudaSuccess) std::puts("cudaMalloc failed?");
}
PROGRAM(stale_error_of_a_handled_call,
        "^error read too late .*cudaMalloc failed with cudaErrorMemoryAllocation.*after the launch at") {
  int* y = device_memory();
  void* x = nullptr;
  LATER;
  if (cudaMalloc(&x, std::size_t{1} << 50) != cudaSuccess) x = nullptr;
  fill<<<4, 256>>>(y, 1);
  if (cudaGetLastError() != cudaSuccess) std::puts("the launch failed?");
  cudaDeviceSynchronize();
}
PROGRAM(result_kept_and_shown_late, "^error read too late .*cudaMemset failed") {
  int* x = device_memory();
  LATER;
  const cudaError_t e = cudaMemset(x, 0, bytes + 1);
  fill<<<4, 256>>>(x, 1);
  cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(e));
}
PROGRAM(stream_of_another_device, "^unread error .*the launch of fill .*belongs to device 0, and device 1") {
  cudaStream_t a = stream();
  cudaSetDevice(1);
  int* x = device_memory();
  LATER;
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaDeviceSynchronize();
}

static __global__ void use_too_much(int* out) {
  __shared__ int s[13000];
  s[threadIdx.x] = 1;
  out[threadIdx.x] = s[threadIdx.x];
}
PROGRAM(too_many_shared_variables, "^too much shared memory: kernel use_too_much: .* s is in line .* 52000 bytes") {
  use_too_much<<<1, 32>>>(device_memory());
  cudaDeviceSynchronize();
}

struct View {
  int* data;
  int length;
};
static const int line_of_fill_view = __LINE__ + 1;
static __global__ void fill_view(const View& view, int value) { view.data[threadIdx.x] = value; }
PROGRAM(parameter_is_a_reference,
        "^host memory .*kernel fill_view.*the parameter view is a reference.*pass it by value") {
  const View view{device_memory(), n};
  tell("later", __FILE__, line_of_fill_view);
  fill_view<<<1, 1>>>(view, 1);
  const cudaError_t error = cudaDeviceSynchronize();
  REQUIRE(error == cudaErrorIllegalAddress);
}
static const int line_of_add_to = __LINE__ + 3;
template <class T>
static __global__ void add_to(T& number, int value) {
  number += value;
}
PROGRAM(parameter_of_a_template_is_a_reference, "^host memory .*kernel add_to.*the parameter number is a reference") {
  static int number = 3;
  tell("later", __FILE__, line_of_add_to);
  add_to<<<1, 1>>>(number, 1);
  const cudaError_t error = cudaDeviceSynchronize();
  REQUIRE(error == cudaErrorIllegalAddress && number == 3);
}
