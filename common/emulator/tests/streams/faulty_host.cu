// SPDX-License-Identifier: MIT
// The host uses, or frees, what work in flight uses.
#include "programs.h"

PROGRAM(managed_read_too_early, "^missing wait .*the host reads element 7 .*kernel fill in the default stream") {
  int* x = managed_memory();
  EARLIER;
  fill<<<4, 256>>>(x, 1);
  LATER;
  std::printf("%d\n", x[7]);
  cudaDeviceSynchronize();
}
PROGRAM(managed_written_too_early, "^missing wait .*the host writes element 7 .*reads") {
  int *x = managed_memory(), *y = device_memory();
  EARLIER;
  copy<<<4, 256>>>(x, y);
  LATER;
  x[7] = 1;
  cudaDeviceSynchronize();
}
static __managed__ int shared_counter;
static __global__ void set_counter() { shared_counter = 5; }
PROGRAM(managed_variable, "^missing wait .*the host reads shared_counter,.*kernel set_counter") {
  EARLIER;
  set_counter<<<1, 1>>>();
  LATER;
  std::printf("%d\n", shared_counter);
  cudaDeviceSynchronize();
}
PROGRAM(pinned_read_too_early, "^missing wait .*the host reads byte 12 .*cudaMemcpyAsync in stream 1") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream();
  EARLIER;
  cudaMemcpyAsync(h, x, bytes, cudaMemcpyDeviceToHost, a);
  LATER;
  std::printf("%d\n", h[3]);
  cudaDeviceSynchronize();
}
PROGRAM(pinned_written_too_early, "^missing wait .*the host writes byte 0 .*cudaMemcpyAsync in stream 1 .*reads") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream();
  EARLIER;
  cudaMemcpyAsync(x, h, bytes, cudaMemcpyHostToDevice, a);
  LATER;
  h[0] = 1;
  cudaDeviceSynchronize();
}
PROGRAM(mapped_memory_of_a_kernel, "^missing wait .*the host reads element 0 .*changes atomically") {
  int* h = pinned_memory();
  EARLIER;
  count<<<2, 32>>>(h);
  LATER;
  std::printf("%d\n", h[0]);
  cudaDeviceSynchronize();
}
PROGRAM(pinned_filled_by_memset, "^missing wait .*the host writes byte 0 .*cudaMemcpyAsync in stream 1") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream();
  EARLIER;
  cudaMemcpyAsync(x, h, bytes, cudaMemcpyHostToDevice, a);
  LATER;
  std::memset(h, 0, bytes);
  cudaDeviceSynchronize();
}
PROGRAM(pageable_changed_too_early,
        "^missing wait .*the host writes the host's memory at .*cudaMemcpyAsync in stream 1") {
  int* x = device_memory();
  std::vector<int> h(n);
  cudaStream_t a = stream();
  EARLIER;
  cudaMemcpyAsync(x, h.data(), bytes, cudaMemcpyHostToDevice, a);
  LATER;
  h[5] = 1;
  cudaDeviceSynchronize();
}
PROGRAM(pageable_read_too_early, "^missing wait .*the host reads the host's memory at .*cudaMemcpyAsync in stream 1") {
  int* x = device_memory();
  std::vector<int> h(n);
  cudaStream_t a = stream();
  EARLIER;
  cudaMemcpyAsync(h.data(), x, bytes, cudaMemcpyDeviceToHost, a);
  LATER;
  std::printf("%d\n", h[5]);
  cudaDeviceSynchronize();
}
PROGRAM(waits_for_the_event_before, "^missing wait .*the host reads element 0") {
  int* x = managed_memory();
  cudaStream_t a = stream();
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaEvent_t e = recorded(a);
  EARLIER;
  increment<<<4, 256, 0, a>>>(x);
  cudaEventSynchronize(e);
  LATER;
  std::printf("%d\n", x[0]);
  cudaDeviceSynchronize();
}
PROGRAM(query_without_an_answer, "^missing wait .*the host reads element 0") {
  int* x = managed_memory();
  cudaStream_t a = stream(), b = stream();
  EARLIER;
  fill<<<4, 256, 0, a>>>(x, 1);
  while (cudaStreamQuery(b) != cudaSuccess) {
  }
  LATER;
  std::printf("%d\n", x[0]);
  cudaDeviceSynchronize();
}
static void set_zero(void* memory) { static_cast<int*>(memory)[0] = 9; }
PROGRAM(host_function_in_another_stream,
        "^missing order .*the host function of cudaLaunchHostFunc in stream 2 .*writes") {
  int* x = managed_memory();
  cudaStream_t a = stream(), b = stream();
  EARLIER;
  fill<<<4, 256, 0, a>>>(x, 1);
  LATER;
  cudaLaunchHostFunc(b, set_zero, x);
  cudaDeviceSynchronize();
}
PROGRAM(host_function_is_not_done, "^missing wait .*the host reads .*the host function of cudaLaunchHostFunc") {
  int* x = pinned_memory();
  cudaStream_t a = stream();
  EARLIER;
  cudaLaunchHostFunc(a, set_zero, x);
  LATER;
  std::printf("%d\n", x[0]);
  cudaDeviceSynchronize();
}
PROGRAM(no_wait_at_all, "never awaited") {
  int* x = managed_memory();
  EARLIER;
  fill<<<4, 256>>>(x, 1);
  LATER;
  std::printf("%d\n", x[0]);
}

PROGRAM(freed_in_another_stream, "^freed in use .*cudaFreeAsync in stream 2 .*kernel fill in stream 1") {
  cudaStream_t a = stream(), b = stream();
  int* x;
  cudaMallocAsync(&x, bytes, a);
  EARLIER;
  fill<<<4, 256, 0, a>>>(x, 1);
  LATER;
  cudaFreeAsync(x, b);
  cudaDeviceSynchronize();
}
PROGRAM(pool_memory_freed_by_the_host, "^freed in use .*cudaFree frees element 0.*kernel fill in stream 1") {
  cudaStream_t a = stream();
  int* x;
  cudaMallocAsync(&x, bytes, a);
  EARLIER;
  fill<<<4, 256, 0, a>>>(x, 1);
  LATER;
  cudaFree(x);
  cudaDeviceSynchronize();
}
PROGRAM(freed_while_a_peer_uses_it, "^freed in use .*cudaFree frees .*kernel fill in the default stream of device 1") {
  int* x = device_memory();
  cudaSetDevice(1);
  cudaDeviceEnablePeerAccess(0, 0);
  EARLIER;
  fill<<<4, 256>>>(x, 1);
  cudaSetDevice(0);
  LATER;
  cudaFree(x);
  cudaSetDevice(1);
  cudaDeviceSynchronize();
}
PROGRAM(used_in_another_stream_than_allocated,
        "^missing order .*kernel fill in stream 2 .*cudaMallocAsync in stream 1") {
  cudaStream_t a = stream(), b = stream();
  int* x;
  EARLIER;
  cudaMallocAsync(&x, bytes, a);
  LATER;
  fill<<<4, 256, 0, b>>>(x, 1);
  cudaDeviceSynchronize();
}
PROGRAM(registered_memory_in_use, "^freed in use .*cudaHostUnregister frees") {
  static int h[n];
  cudaHostRegister(h, bytes, 0);
  cudaStream_t a = stream();
  int* x = device_memory();
  EARLIER;
  cudaMemcpyAsync(x, h, bytes, cudaMemcpyHostToDevice, a);
  LATER;
  cudaHostUnregister(h);
  cudaDeviceSynchronize();
}
PROGRAM(pageable_memory_in_use, "^freed in use .*the host frees the host's memory at .*cudaMemcpyAsync in stream 1") {
  cudaStream_t a = stream();
  int* x = device_memory();
  int* h = new int[n]();
  EARLIER;
  cudaMemcpyAsync(x, h, bytes, cudaMemcpyHostToDevice, a);
  LATER;
  delete[] h;
  cudaDeviceSynchronize();
}

struct Pair {
  int first, second;
};
static __global__ void exchange(Pair& pair) {
  const int first = pair.first;
  pair.first = pair.second;
  pair.second = first;
}
PROGRAM(object_of_a_reference_read_too_early,
        "^missing wait .*the host reads .*kernel exchange in the default stream") {
  Pair* pair = nullptr;
  cudaMallocManaged(&pair, sizeof(Pair));
  *pair = {1, 2};
  EARLIER;
  exchange<<<1, 1>>>(*pair);
  LATER;
  std::printf("%d\n", pair->first);
  cudaDeviceSynchronize();
}
