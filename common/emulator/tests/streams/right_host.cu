// SPDX-License-Identifier: MIT
// The host waits, and frees nothing that is in use: the twins of the faulty programs, and others.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <thread>

#include "programs.h"

PROGRAM(managed_read_too_early, "") {
  int* x = managed_memory();
  fill<<<4, 256>>>(x, 1);
  cudaDeviceSynchronize();
  REQUIRE(x[7] == 1);
}
PROGRAM(managed_written_too_early, "") {
  int *x = managed_memory(), *y = device_memory();
  x[7] = 3;
  copy<<<4, 256>>>(x, y);
  REQUIRE(x[7] == 3);  // both only read
  cudaDeviceSynchronize();
  x[7] = 1;
}
PROGRAM(other_half_of_managed_memory, "") {
  int* x = managed_memory();
  fill<<<2, 256>>>(x, 1);
  for (int i = n / 2; i < n; ++i) x[i] = i;
  cudaDeviceSynchronize();
  REQUIRE(x[0] == 1 && x[n - 1] == n - 1);
}
static __managed__ int shared_counter;
static __global__ void set_counter() { shared_counter = 5; }
PROGRAM(managed_variable, "") {
  set_counter<<<1, 1>>>();
  cudaDeviceSynchronize();
  REQUIRE(shared_counter == 5);
}
PROGRAM(pinned_read_too_early, "") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream();
  cudaMemcpyAsync(h, x, bytes, cudaMemcpyDeviceToHost, a);
  while (cudaStreamQuery(a) != cudaSuccess) {
  }
  REQUIRE(h[3] == 0);
}
PROGRAM(pinned_written_too_early, "") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream();
  cudaMemcpyAsync(x, h, bytes, cudaMemcpyHostToDevice, a);
  cudaEvent_t e = recorded(a);
  while (cudaEventQuery(e) == cudaErrorNotReady) {
  }
  h[0] = 1;
}
PROGRAM(mapped_memory_of_a_kernel, "") {
  int* h = pinned_memory();
  count<<<2, 32>>>(h);
  cudaStreamSynchronize(nullptr);
  REQUIRE(h[0] == 64);
}
PROGRAM(pinned_filled_by_memset, "") {
  int *x = device_memory(), *h = pinned_memory(), *g = pinned_memory();
  cudaStream_t a = stream();
  cudaMemcpyAsync(x, h, bytes, cudaMemcpyHostToDevice, a);
  std::memset(g, 0, bytes);
  cudaStreamSynchronize(a);
  std::memset(h, 0, bytes);
}
PROGRAM(pageable_changed_too_early, "") {
  int* x = device_memory();
  std::vector<int> h(n), g(n);
  cudaStream_t a = stream();
  cudaMemcpyAsync(x, h.data(), bytes, cudaMemcpyHostToDevice, a);
  std::iota(g.begin(), g.end(), 1);
  cudaStreamSynchronize(a);
  h[5] = 1;
}
PROGRAM(pageable_read_too_early, "") {
  int* x = device_memory();
  std::vector<int> h(n);
  cudaMemcpy(h.data(), x, bytes, cudaMemcpyDeviceToHost);
  REQUIRE(h[5] == 0);
}
PROGRAM(waits_for_the_event_before, "") {
  int *x = managed_memory(), *y = device_memory();
  cudaStream_t a = stream();
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaEvent_t e = recorded(a);
  increment<<<4, 256, 0, a>>>(y);
  cudaEventSynchronize(e);
  REQUIRE(x[0] == 1);
  cudaDeviceSynchronize();
}
PROGRAM(query_without_an_answer, "") {
  int* x = managed_memory();
  cudaStream_t a = stream();
  fill<<<4, 256, 0, a>>>(x, 1);
  if (cudaStreamQuery(a) == cudaSuccess) REQUIRE(x[0] == 1);
  cudaDeviceSynchronize();
}
static void set_nine(void* memory) { static_cast<int*>(memory)[0] = 9; }
PROGRAM(host_function_in_another_stream, "") {
  int* x = managed_memory();
  cudaStream_t a = stream();
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaLaunchHostFunc(a, set_nine, x);
  increment<<<4, 256, 0, a>>>(x);
  cudaStreamSynchronize(a);
  REQUIRE(x[0] == 10);
}
PROGRAM(host_function_is_not_done, "") {
  int* x = pinned_memory();
  cudaStream_t a = stream();
  cudaLaunchHostFunc(a, set_nine, x);
  cudaStreamSynchronize(a);
  REQUIRE(x[0] == 9);
}
PROGRAM(host_function_tells_by_an_atomic, "") {
  struct Shared {
    int* result;
    int copied = 0;
    std::atomic<bool> done{false};
  } shared{pinned_memory()};
  int* x = device_memory();
  cudaStream_t a = stream();
  fill<<<4, 256, 0, a>>>(x, 4);
  cudaMemcpyAsync(shared.result, x, bytes, cudaMemcpyDeviceToHost, a);
  const auto tell = [](void* data) { static_cast<Shared*>(data)->done = true; };
  cudaLaunchHostFunc(a, tell, &shared);
  while (!shared.done) std::this_thread::yield();
  REQUIRE(shared.result[3] == 4);
  cudaStreamSynchronize(a);
}
PROGRAM(host_function_tells_by_a_condition, "") {
  struct Shared {
    int* result;
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
  } shared{pinned_memory()};
  int* x = device_memory();
  cudaStream_t a = stream();
  fill<<<4, 256, 0, a>>>(x, 4);
  cudaMemcpyAsync(shared.result, x, bytes, cudaMemcpyDeviceToHost, a);
  const auto tell = [](cudaStream_t, cudaError_t, void* data) {
    auto& to = *static_cast<Shared*>(data);
    const std::lock_guard lock(to.mutex);
    to.done = true;
    to.changed.notify_one();
  };
  cudaStreamAddCallback(a, tell, &shared, 0);
  {
    std::unique_lock lock(shared.mutex);
    shared.changed.wait(lock, [&] { return shared.done; });
  }
  REQUIRE(shared.result[3] == 4);
  cudaStreamSynchronize(a);
}
static __global__ void serve(volatile int* flag, int* data) {
  while (*flag != 1) {
  }
  data[1] = data[0] + 1;
  __threadfence_system();
  *flag = 2;
}
PROGRAM(host_and_kernel_tell_by_a_flag, "") {
  volatile int* flag = pinned_memory();
  int* data = pinned_memory();
  serve<<<1, 1>>>(flag, data);
  data[0] = 41;
  *flag = 1;
  while (*flag != 2) std::this_thread::yield();
  REQUIRE(data[1] == 42);
  cudaDeviceSynchronize();
}
PROGRAM(no_wait_at_all, "") {
  int* x = managed_memory();
  fill<<<4, 256>>>(x, 1);
  cudaFree(x);  // waits for the device
}

PROGRAM(freed_in_another_stream, "") {
  cudaStream_t a = stream(), b = stream();
  int* x;
  cudaMallocAsync(&x, bytes, a);
  fill<<<4, 256, 0, a>>>(x, 1);
  order(a, b);
  cudaFreeAsync(x, b);
  cudaDeviceSynchronize();
}
PROGRAM(pool_memory_freed_by_the_host, "") {
  cudaStream_t a = stream();
  int* x;
  cudaMallocAsync(&x, bytes, a);
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaStreamSynchronize(a);
  cudaFree(x);
}
PROGRAM(freed_while_a_peer_uses_it, "") {
  int* x = device_memory();
  cudaSetDevice(1);
  cudaDeviceEnablePeerAccess(0, 0);
  fill<<<4, 256>>>(x, 1);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  cudaFree(x);
}
PROGRAM(used_in_another_stream_than_allocated, "") {
  cudaStream_t a = stream(), b = stream();
  int* x;
  cudaMallocAsync(&x, bytes, a);
  order(a, b);
  fill<<<4, 256, 0, b>>>(x, 1);
  order(b, a);
  cudaFreeAsync(x, a);
  cudaDeviceSynchronize();
}
PROGRAM(registered_memory_in_use, "") {
  static int h[n];
  cudaHostRegister(h, bytes, 0);
  cudaStream_t a = stream();
  int* x = device_memory();
  cudaMemcpyAsync(x, h, bytes, cudaMemcpyHostToDevice, a);
  cudaStreamSynchronize(a);
  cudaHostUnregister(h);
  h[0] = 1;
}
PROGRAM(freed_and_allocated_in_the_order_of_a_stream, "") {
  cudaStream_t a = stream();
  for (int i = 0; i < 20; ++i) {
    int *x, *y;
    cudaMallocAsync(&x, bytes, a);
    fill<<<4, 256, 0, a>>>(x, i);
    cudaMallocAsync(&y, bytes, a);
    copy<<<4, 256, 0, a>>>(x, y);
    cudaFreeAsync(x, a);
    increment<<<4, 256, 0, a>>>(y);
    cudaFreeAsync(y, a);
  }
  cudaStreamSynchronize(a);
}
PROGRAM(pageable_memory_in_use, "") {
  cudaStream_t a = stream();
  int* x = device_memory();
  int* h = new int[n]();
  cudaMemcpyAsync(x, h, bytes, cudaMemcpyHostToDevice, a);
  int* g = new int[n]();
  delete[] g;
  cudaStreamSynchronize(a);
  delete[] h;
}
