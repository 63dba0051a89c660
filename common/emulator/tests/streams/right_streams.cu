// SPDX-License-Identifier: MIT
// Right programs: the twins of the faulty ones, by the same names, and less usual ones.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <thread>

#include "programs.h"

// ── two streams ──

PROGRAM(two_kernels_write, "") {
  int* x = device_memory();
  cudaStream_t a = stream(), b = stream();
  fill<<<4, 256, 0, a>>>(x, 1);
  order(a, b);
  fill<<<4, 256, 0, b>>>(x, 2);
  cudaDeviceSynchronize();
}
PROGRAM(reads_before_written, "") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaStreamSynchronize(a);
  copy<<<4, 256, 0, b>>>(x, y);
  cudaDeviceSynchronize();
}
PROGRAM(writes_before_read, "") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  copy<<<4, 256, 0, a>>>(x, y);
  cudaEventSynchronize(recorded(a));
  fill<<<4, 256, 0, b>>>(x, 1);
  cudaDeviceSynchronize();
}
PROGRAM(overlap_of_one_element, "") {
  int* x = device_memory();
  cudaStream_t a = stream(), b = stream();
  fill<<<2, 256, 0, a>>>(x, 1);
  fill<<<1, 256, 0, b>>>(x + 512, 2);
  cudaDeviceSynchronize();
}
PROGRAM(atomic_and_plain, "") {
  int* x = device_memory();
  count<<<1, 32, 0, stream()>>>(x);
  count<<<1, 32, 0, stream()>>>(x);
  cudaDeviceSynchronize();
}
PROGRAM(both_read, "") {
  int *x = device_memory(), *y = device_memory(), *z = device_memory();
  copy<<<4, 256, 0, stream()>>>(x, y);
  copy<<<4, 256, 0, stream()>>>(x, z);
  cudaDeviceSynchronize();
}
PROGRAM(copy_out_in_another_stream, "") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream();
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaMemcpyAsync(h, x, bytes, cudaMemcpyDeviceToHost, a);
  cudaStreamSynchronize(a);
  REQUIRE(h[5] == 1);
}
PROGRAM(copy_in_in_another_stream, "") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream(), b = stream();
  cudaMemcpyAsync(x, h, bytes, cudaMemcpyHostToDevice, a);
  order(a, b);
  increment<<<4, 256, 0, b>>>(x);
  cudaDeviceSynchronize();
}
PROGRAM(two_copies, "") {
  int *x = device_memory(), *h = pinned_memory(), *g = pinned_memory();
  cudaStream_t a = stream(), b = stream();
  cudaMemcpyAsync(x, h, bytes / 2, cudaMemcpyHostToDevice, a);
  cudaMemcpyAsync(x + n / 2, g, bytes / 2, cudaMemcpyHostToDevice, b);
  cudaDeviceSynchronize();
}
PROGRAM(fill_of_the_default_stream, "") {
  int* x = nullptr;
  cudaMalloc(&x, bytes);
  cudaMemset(x, 0, bytes);
  increment<<<4, 256, 0, stream(cudaStreamDefault)>>>(x);
  cudaDeviceSynchronize();
}
PROGRAM(fill_in_another_stream, "") {
  int* x = device_memory();
  cudaStream_t a = stream(), b = stream();
  fill<<<4, 256, 0, a>>>(x, 1);
  order(a, b);
  cudaMemsetAsync(x, 0, bytes, b);
  cudaDeviceSynchronize();
}
PROGRAM(waits_for_stream_0_only, "") {
  int *x = device_memory(), h[n];
  fill<<<4, 256, 0, stream(cudaStreamDefault)>>>(x, 1);
  cudaMemcpy(h, x, bytes, cudaMemcpyDeviceToHost);
  REQUIRE(h[9] == 1);
}
PROGRAM(waits_for_the_wrong_stream, "") {
  int *x = device_memory(), *y = device_memory(), h[n];
  cudaStream_t a = stream(), b = stream();
  fill<<<4, 256, 0, a>>>(x, 1);
  fill<<<4, 256, 0, b>>>(y, 1);
  cudaStreamSynchronize(a);
  cudaMemcpy(h, x, bytes, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
}
PROGRAM(event_recorded_too_early, "") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  cudaEvent_t e = recorded(a);
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaEventRecord(e, a);  // again: the later one counts
  cudaStreamWaitEvent(b, e, 0);
  copy<<<4, 256, 0, b>>>(x, y);
  cudaDeviceSynchronize();
}
PROGRAM(event_recorded_again_after_the_wait, "") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaEvent_t e = recorded(a);
  cudaStreamWaitEvent(b, e, 0);
  increment<<<4, 256, 0, a>>>(y);
  cudaEventRecord(e, a);
  increment<<<4, 256, 0, b>>>(x);
  cudaStreamWaitEvent(b, e, 0);
  increment<<<4, 256, 0, b>>>(y);
  cudaDeviceSynchronize();
}
PROGRAM(double_buffer_without_the_way_back, "") {
  int *buffers[2] = {device_memory(), device_memory()}, *out = device_memory(), *h = pinned_memory();
  cudaStream_t copies = stream(), kernels = stream();
  cudaEvent_t free[2] = {recorded(kernels), recorded(kernels)};
  for (int i = 0; i < 6; ++i) {
    cudaStreamWaitEvent(copies, free[i % 2], 0);
    cudaMemcpyAsync(buffers[i % 2], h, bytes, cudaMemcpyHostToDevice, copies);
    order(copies, kernels);
    copy<<<4, 256, 0, kernels>>>(buffers[i % 2], out);
    cudaEventRecord(free[i % 2], kernels);
  }
  cudaDeviceSynchronize();
}
PROGRAM(columns_that_overlap, "") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream(), b = stream();
  cudaMemcpy2DAsync(x, 128, h, 128, 64, 32, cudaMemcpyHostToDevice, a);
  cudaMemcpy2DAsync(x + 16, 128, h, 128, 64, 32, cudaMemcpyHostToDevice, b);
  cudaDeviceSynchronize();
}
__device__ int variable[4];
__global__ void use_variable(int* out) { out[threadIdx.x] = variable[threadIdx.x]; }
PROGRAM(variable_of_the_device, "") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream();
  use_variable<<<1, 4, 0, a>>>(x);
  cudaMemcpyToSymbolAsync(variable, h, 16, 0, cudaMemcpyHostToDevice, a);
  cudaDeviceSynchronize();
}
PROGRAM(variables_of_two_devices, "") {
  int *x = device_memory(), *h = pinned_memory();
  use_variable<<<1, 4>>>(x);
  cudaSetDevice(1);
  cudaMemcpyToSymbolAsync(variable, h, 16);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  cudaDeviceSynchronize();
}
PROGRAM(copy_within_the_device_does_not_wait, "") {
  int *x = device_memory(), *y = device_memory();
  cudaMemcpy(y, x, bytes, cudaMemcpyDeviceToDevice);
  increment<<<4, 256>>>(y);
  cudaDeviceSynchronize();
}
PROGRAM(default_stream_of_a_thread, "") {
  int *x = device_memory(), *y = device_memory();
  fill<<<4, 256, 0, cudaStreamPerThread>>>(x, 1);
  copy<<<4, 256>>>(x, y);  // the default stream waits for it
  increment<<<4, 256, 0, cudaStreamPerThread>>>(y);
  cudaDeviceSynchronize();
}
PROGRAM(two_threads, "") {
  int* x = device_memory();
  const auto work = [x](int value) {
    cudaStream_t a = stream();
    fill<<<4, 256, 0, a>>>(x, value);
    cudaStreamSynchronize(a);
  };
  std::thread first(work, 1);
  first.join();
  std::thread second(work, 2);
  second.join();
}
PROGRAM(order_by_the_default_stream, "") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(cudaStreamDefault), b = stream(cudaStreamDefault);
  fill<<<4, 256, 0, a>>>(x, 1);
  fill<<<4, 256>>>(y, 1);
  increment<<<4, 256, 0, b>>>(x);
  cudaDeviceSynchronize();
}

// ── the host ──

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
__managed__ int shared_counter;
__global__ void set_counter() { shared_counter = 5; }
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
PROGRAM(no_wait_at_all, "") {
  int* x = managed_memory();
  fill<<<4, 256>>>(x, 1);
  cudaFree(x);  // waits for the device
}

// ── freed ──

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

// ── two devices ──

PROGRAM(peer_copy_without_an_event, "") {
  int* x = device_memory();
  cudaStream_t first = stream();
  fill<<<4, 256, 0, first>>>(x, 1);
  cudaEvent_t e = recorded(first);
  cudaSetDevice(1);
  int* y = device_memory();
  cudaStream_t a = stream();
  cudaStreamWaitEvent(a, e, 0);
  cudaMemcpyPeerAsync(y, 1, x, 0, bytes, a);
  increment<<<4, 256, 0, a>>>(y);
  cudaStreamSynchronize(a);
}
PROGRAM(peer_copy_is_in_order_with_both_devices, "") {
  int* x = device_memory();
  fill<<<4, 256, 0, stream()>>>(x, 1);
  cudaSetDevice(1);
  int* y = device_memory();
  fill<<<4, 256, 0, stream()>>>(y, 2);
  cudaMemcpyPeer(y, 1, x, 0, bytes);
  cudaDeviceSynchronize();
}
PROGRAM(waits_for_the_wrong_device, "") {
  int* x = managed_memory();
  fill<<<4, 256>>>(x, 1);
  cudaSetDevice(1);
  cudaSetDevice(0);
  cudaDeviceSynchronize();
  REQUIRE(x[0] == 1);
}
PROGRAM(a_thread_for_each_device, "") {
  int* parts[2] = {};
  int* h = pinned_memory();
  const auto work = [&](int device) {
    cudaSetDevice(device);
    parts[device] = device_memory(n / 2);
    cudaStream_t a = stream();
    fill<<<2, 256, 0, a>>>(parts[device], device + 1);
    cudaMemcpyAsync(h + device * n / 2, parts[device], bytes / 2, cudaMemcpyDeviceToHost, a);
    cudaStreamSynchronize(a);
  };
  std::thread first(work, 0), second(work, 1);
  first.join();
  second.join();
  REQUIRE(h[0] == 1 && h[n - 1] == 2);
}
PROGRAM(ping_pong_between_two_devices, "") {
  int* x[2] = {};
  cudaStream_t s[2] = {};
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaDeviceEnablePeerAccess(1 - device, 0);
    x[device] = device_memory();
    s[device] = stream();
  }
  for (int i = 0; i < 6; ++i) {
    const int from = i % 2;
    cudaSetDevice(from);
    increment<<<4, 256, 0, s[from]>>>(x[from]);
    cudaMemcpyPeerAsync(x[1 - from], 1 - from, x[from], from, bytes, s[from]);
    cudaEvent_t e = recorded(s[from]);
    cudaSetDevice(1 - from);
    cudaStreamWaitEvent(s[1 - from], e, 0);
  }
  cudaStreamSynchronize(s[0]);
  int h[n];
  cudaMemcpy(h, x[0], bytes, cudaMemcpyDeviceToHost);
  REQUIRE(h[1] == 6);
}

// ── less usual ──

PROGRAM(pipeline_of_three_streams, "") {
  constexpr int chunks = 8;
  int *h = pinned_memory(), *g = pinned_memory(), *in = device_memory(), *out = device_memory();
  cudaStream_t copy_in = stream(), compute = stream(), copy_out = stream();
  for (int i = 0; i < chunks; ++i) {
    const int part = n / chunks * i, size = bytes / chunks;
    cudaMemcpyAsync(in + part, h + part, size, cudaMemcpyHostToDevice, copy_in);
    order(copy_in, compute);
    copy<<<1, n / chunks, 0, compute>>>(in + part, out + part);
    order(compute, copy_out);
    cudaMemcpyAsync(g + part, out + part, size, cudaMemcpyDeviceToHost, copy_out);
  }
  cudaStreamSynchronize(copy_out);
  REQUIRE(g[n - 1] == 0);
}
PROGRAM(fork_and_join, "") {
  int* x = device_memory();
  cudaStream_t a = stream(), b = stream();
  for (int i = 0; i < 5; ++i) {
    fill<<<4, 256, 0, a>>>(x, i);
    order(a, b);
    fill_half<<<1, n / 2, 0, a>>>(x, 0);
    fill_half<<<1, n / 2, 0, b>>>(x, 1);
    order(b, a);
    increment<<<4, 256, 0, a>>>(x);
  }
  cudaStreamSynchronize(a);
}
PROGRAM(order_through_a_third_stream, "") {
  int* x = device_memory();
  cudaStream_t a = stream(), b = stream(), c = stream();
  fill<<<4, 256, 0, a>>>(x, 1);
  order(a, b);
  order(b, c);
  increment<<<4, 256, 0, c>>>(x);
  cudaStreamSynchronize(c);
}
PROGRAM(many_streams_one_after_the_other, "") {
  int* x = device_memory();
  for (int i = 0; i < 50; ++i) {
    cudaStream_t a = stream();
    increment<<<4, 256, 0, a>>>(x);
    cudaStreamSynchronize(a);
    cudaStreamDestroy(a);
  }
}
PROGRAM(stream_destroyed_with_work, "") {
  int* x = device_memory();
  cudaStream_t a = stream(), b = stream();
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaEvent_t e = recorded(a);
  cudaStreamDestroy(a);
  cudaStreamWaitEvent(b, e, 0);
  cudaEventDestroy(e);
  increment<<<4, 256, 0, b>>>(x);
  cudaDeviceSynchronize();
}
PROGRAM(allocated_while_work_is_in_flight, "") {
  int* x = device_memory();
  cudaStream_t a = stream();
  fill<<<4, 256, 0, a>>>(x, 1);
  int *y = pinned_memory(), *z = managed_memory();
  y[0] = z[0] = 1;
  cudaStreamSynchronize(a);
}
PROGRAM(times_by_events, "") {
  int* x = managed_memory();
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  fill<<<4, 256>>>(x, 1);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, begin, end);
  REQUIRE(x[0] == 1 && milliseconds >= 0);
}
PROGRAM(a_thousand_launches, "") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  for (int i = 0; i < 500; ++i) {
    fill<<<1, 32, 0, a>>>(x, i);
    fill<<<1, 32, 0, b>>>(y, i);
  }
  cudaDeviceSynchronize();
}

// ── errors ──

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

int main(int count, char** arguments) { return run_programs(count, arguments); }
