// SPDX-License-Identifier: MIT
// Programs with one fault each in the order of streams or in the handling of errors.
#include <thread>

#include "programs.h"

// ── two streams ──

PROGRAM(two_kernels_write, "^missing order .*kernel fill in stream 2 .* writes element 0.*kernel fill in stream 1") {
  int* x = device_memory();
  cudaStream_t a = stream(), b = stream();
  EARLIER;
  fill<<<4, 256, 0, a>>>(x, 1);
  LATER;
  fill<<<4, 256, 0, b>>>(x, 2);
  cudaDeviceSynchronize();
}
PROGRAM(reads_before_written, "^missing order .* reads element 0 .*writes") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  EARLIER;
  fill<<<4, 256, 0, a>>>(x, 1);
  LATER;
  copy<<<4, 256, 0, b>>>(x, y);
  cudaDeviceSynchronize();
}
PROGRAM(writes_before_read, "^missing order .* writes element 0 .*reads") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  EARLIER;
  copy<<<4, 256, 0, a>>>(x, y);
  LATER;
  fill<<<4, 256, 0, b>>>(x, 1);
  cudaDeviceSynchronize();
}
PROGRAM(overlap_of_one_element, "^missing order .* writes element 511") {
  int* x = device_memory();
  cudaStream_t a = stream(), b = stream();
  EARLIER;
  fill<<<2, 256, 0, a>>>(x, 1);
  LATER;
  fill<<<1, 256, 0, b>>>(x + 511, 2);
  cudaDeviceSynchronize();
}
PROGRAM(atomic_and_plain, "^missing order .* reads element 0 .*changes atomically") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  EARLIER;
  count<<<1, 32, 0, a>>>(x);
  LATER;
  copy<<<1, 1, 0, b>>>(x, y);
  cudaDeviceSynchronize();
}
PROGRAM(copy_out_in_another_stream, "^missing order .*cudaMemcpyAsync in stream 2 .* reads element 0") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream(), b = stream();
  EARLIER;
  fill<<<4, 256, 0, a>>>(x, 1);
  LATER;
  cudaMemcpyAsync(h, x, bytes, cudaMemcpyDeviceToHost, b);
  cudaDeviceSynchronize();
}
PROGRAM(copy_in_in_another_stream, "^missing order .*kernel increment in stream 2 .*cudaMemcpyAsync in stream 1") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream(), b = stream();
  EARLIER;
  cudaMemcpyAsync(x, h, bytes, cudaMemcpyHostToDevice, a);
  LATER;
  increment<<<4, 256, 0, b>>>(x);
  cudaDeviceSynchronize();
}
PROGRAM(two_copies, "^missing order .*cudaMemcpyAsync in stream 2 .* writes byte 2048 .*cudaMemcpyAsync in stream 1") {
  int *x = device_memory(), *h = pinned_memory(), *g = pinned_memory();
  cudaStream_t a = stream(), b = stream();
  EARLIER;
  cudaMemcpyAsync(x, h, bytes, cudaMemcpyHostToDevice, a);
  LATER;
  cudaMemcpyAsync(x + n / 2, g, bytes / 2, cudaMemcpyHostToDevice, b);
  cudaDeviceSynchronize();
}
PROGRAM(fill_of_the_default_stream,
        "^missing order .*kernel increment in stream 1 .*cudaMemset in the default stream") {
  int* x = nullptr;
  cudaMalloc(&x, bytes);
  EARLIER;
  cudaMemset(x, 0, bytes);
  LATER;
  increment<<<4, 256, 0, stream()>>>(x);
  cudaDeviceSynchronize();
}
PROGRAM(fill_in_another_stream, "^missing order .*cudaMemsetAsync in stream 2 .* writes element 0") {
  int* x = device_memory();
  cudaStream_t a = stream(), b = stream();
  EARLIER;
  fill<<<4, 256, 0, a>>>(x, 1);
  LATER;
  cudaMemsetAsync(x, 0, bytes, b);
  cudaDeviceSynchronize();
}
PROGRAM(waits_for_stream_0_only, "^missing order .*cudaMemcpy in the default stream reads element 0") {
  int *x = device_memory(), h[n];
  EARLIER;
  fill<<<4, 256, 0, stream()>>>(x, 1);
  cudaStreamSynchronize(nullptr);
  LATER;
  cudaMemcpy(h, x, bytes, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
}
PROGRAM(waits_for_the_wrong_stream, "^missing order .*cudaMemcpy in the default stream reads element 0") {
  int *x = device_memory(), *y = device_memory(), h[n];
  cudaStream_t a = stream(), b = stream();
  EARLIER;
  fill<<<4, 256, 0, a>>>(x, 1);
  fill<<<4, 256, 0, b>>>(y, 1);
  cudaStreamSynchronize(b);
  LATER;
  cudaMemcpy(h, x, bytes, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
}
PROGRAM(event_recorded_too_early, "^missing order .*kernel copy in stream 2 .*kernel fill in stream 1") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  cudaEvent_t e = recorded(a);
  EARLIER;
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaStreamWaitEvent(b, e, 0);
  LATER;
  copy<<<4, 256, 0, b>>>(x, y);
  cudaDeviceSynchronize();
}
PROGRAM(waits_before_the_record, "^missing order .*kernel copy in stream 2 .*kernel fill in stream 1") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  cudaEvent_t e;
  cudaEventCreate(&e);
  EARLIER;
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaStreamWaitEvent(b, e, 0);
  cudaEventRecord(e, a);
  LATER;
  copy<<<4, 256, 0, b>>>(x, y);
  cudaDeviceSynchronize();
}
PROGRAM(event_in_the_wrong_stream, "^missing order .*kernel copy in stream 2 .*kernel fill in stream 1") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  EARLIER;
  fill<<<4, 256, 0, a>>>(x, 1);
  order(b, b);
  LATER;
  copy<<<4, 256, 0, b>>>(x, y);
  cudaDeviceSynchronize();
}
PROGRAM(double_buffer_without_the_way_back, "^missing order .*cudaMemcpyAsync in stream 1 .*kernel copy in stream 2") {
  int *buffers[2] = {device_memory(), device_memory()}, *out = device_memory(), *h = pinned_memory();
  cudaStream_t copies = stream(), kernels = stream();
  for (int i = 0; i < 3; ++i) {
    LATER;
    cudaMemcpyAsync(buffers[i % 2], h, bytes, cudaMemcpyHostToDevice, copies);
    order(copies, kernels);
    EARLIER;
    copy<<<4, 256, 0, kernels>>>(buffers[i % 2], out);
  }
  cudaDeviceSynchronize();
}
PROGRAM(columns_that_overlap, "^missing order .*cudaMemcpy2DAsync in stream 2 .*cudaMemcpy2DAsync in stream 1") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream(), b = stream();
  EARLIER;
  cudaMemcpy2DAsync(x, 128, h, 128, 64, 32, cudaMemcpyHostToDevice, a);
  LATER;
  cudaMemcpy2DAsync(x + 15, 128, h, 128, 4, 32, cudaMemcpyHostToDevice, b);
  cudaDeviceSynchronize();
}

__device__ int variable[4];
__global__ void use_variable(int* out) { out[threadIdx.x] = variable[threadIdx.x]; }
PROGRAM(variable_of_the_device, "^missing order .*cudaMemcpyToSymbolAsync|^missing order .*cudaMemcpyToSymbol") {
  int *x = device_memory(), *h = pinned_memory();
  cudaStream_t a = stream(), b = stream();
  EARLIER;
  use_variable<<<1, 4, 0, a>>>(x);
  LATER;
  cudaMemcpyToSymbolAsync(variable, h, 16, 0, cudaMemcpyHostToDevice, b);
  cudaDeviceSynchronize();
}
PROGRAM(copy_within_the_device_does_not_wait,
        "^missing order .*kernel increment in stream 1 .*cudaMemcpy in the default") {
  int *x = device_memory(), *y = device_memory();
  EARLIER;
  cudaMemcpy(y, x, bytes, cudaMemcpyDeviceToDevice);
  LATER;
  increment<<<4, 256, 0, stream()>>>(y);
  cudaDeviceSynchronize();
}
PROGRAM(default_stream_of_a_thread,
        "^missing order .*kernel copy in stream 1 .*kernel fill in the default stream of a thread") {
  int *x = device_memory(), *y = device_memory();
  EARLIER;
  fill<<<4, 256, 0, cudaStreamPerThread>>>(x, 1);
  LATER;
  copy<<<4, 256, 0, stream()>>>(x, y);
  cudaDeviceSynchronize();
}
PROGRAM(two_threads, "^missing order .*kernel fill in stream") {
  int* x = device_memory();
  const auto work = [x](int value) { fill<<<4, 256, 0, stream()>>>(x, value); };
  std::thread first(work, 1);
  first.join();
  std::thread second(work, 2);
  second.join();
  cudaDeviceSynchronize();
}

// ── the host ──

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
__managed__ int shared_counter;
__global__ void set_counter() { shared_counter = 5; }
PROGRAM(managed_variable, "^missing wait .*the host reads shared_counter\\[0\\].*kernel set_counter") {
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

// ── freed in use ──

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

// ── two devices ──

PROGRAM(peer_copy_without_an_event, "^missing order .*cudaMemcpyPeerAsync in stream 1 .* of device 1 .*kernel fill") {
  int* x = device_memory();
  EARLIER;
  fill<<<4, 256>>>(x, 1);
  cudaSetDevice(1);
  int* y = device_memory();
  cudaStream_t a = stream();
  LATER;
  cudaMemcpyPeerAsync(y, 1, x, 0, bytes, a);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  cudaDeviceSynchronize();
}
PROGRAM(waits_for_the_wrong_device, "^missing wait .*the host reads element 0") {
  int* x = managed_memory();
  EARLIER;
  fill<<<4, 256>>>(x, 1);
  cudaSetDevice(1);
  cudaDeviceSynchronize();
  LATER;
  std::printf("%d\n", x[0]);
  cudaSetDevice(0);
  cudaDeviceSynchronize();
}

// ── errors that nobody reads ──

PROGRAM(launch_too_large,
        "^error not looked at .*the launch of fill failed .* at most 1024 threads, and this one 2048") {
  LATER;
  fill<<<1, 2048>>>(device_memory(2048), 1);
  cudaDeviceSynchronize();
}
PROGRAM(launch_of_no_blocks, "^error not looked at .*0 blocks") {
  LATER;
  fill<<<0, 256>>>(device_memory(), 1);
  cudaDeviceSynchronize();
}
PROGRAM(too_much_shared_memory, "^error not looked at .*100000 bytes of dynamic shared memory .*cudaFuncSetAttribute") {
  LATER;
  fill<<<1, 256, 100000>>>(device_memory(), 1);
  cudaDeviceSynchronize();
}
PROGRAM(wrong_direction,
        "^error not looked at .*cudaMemcpy failed .*destination is memory of a device.*source pageable") {
  int* x = device_memory();
  std::vector<int> h(n);
  LATER;
  cudaMemcpy(x, h.data(), bytes, cudaMemcpyDeviceToHost);
}
PROGRAM(swapped_arguments, "^error not looked at .*cudaMemcpy failed .*destination is pageable") {
  int* x = device_memory();
  std::vector<int> h(n);
  LATER;
  cudaMemcpy(h.data(), x, bytes, cudaMemcpyHostToDevice);
}
PROGRAM(copy_of_too_much, "^error not looked at .*cudaMemcpy failed .*8192 bytes from byte 0 on do not fit") {
  int* x = device_memory();
  std::vector<int> h(2 * n);
  LATER;
  cudaMemcpy(h.data(), x, 2 * bytes, cudaMemcpyDeviceToHost);
}
PROGRAM(freed_twice, "^error not looked at .*cudaFree failed .*freed already") {
  int* x = device_memory();
  cudaFree(x);
  LATER;
  cudaFree(x);
}
PROGRAM(freed_twice_in_a_stream, "^error not looked at .*cudaFreeAsync failed .*freed already") {
  cudaStream_t a = stream();
  int* x;
  cudaMallocAsync(&x, bytes, a);
  cudaFreeAsync(x, a);
  LATER;
  cudaFreeAsync(x, a);
  cudaStreamSynchronize(a);
}
PROGRAM(freed_in_the_middle, "^error not looked at .*cudaFree failed .*16 bytes behind the begin") {
  int* x = device_memory();
  LATER;
  cudaFree(x + 4);
}
PROGRAM(pinned_freed_as_device_memory, "^error not looked at .*cudaFree failed .*use cudaFreeHost") {
  int* h = pinned_memory();
  LATER;
  cudaFree(h);
}
PROGRAM(device_memory_freed_as_pinned, "^error not looked at .*cudaFreeHost failed .*use cudaFree") {
  int* x = device_memory();
  LATER;
  cudaFreeHost(x);
}
PROGRAM(no_symbol, "^error not looked at .*cudaMemcpyToSymbol failed .*must be a variable with __device__") {
  int local[4] = {}, values[4] = {};
  LATER;
  cudaMemcpyToSymbol(local, values, sizeof values);
}
PROGRAM(too_much_for_a_symbol, "^error not looked at .*cudaMemcpyToSymbol failed .*do not fit variable, which has 16") {
  int values[5] = {};
  LATER;
  cudaMemcpyToSymbol(variable, values, sizeof values);
}
PROGRAM(memset_of_host_memory, "^error not looked at .*cudaMemset failed .*not memory of the device") {
  static int h[4];
  LATER;
  cudaMemset(h, 0, sizeof h);
}
PROGRAM(stale_error,
        "^error looked at too late .*the launch of fill failed .*cudaGetLastError at .*after cudaMalloc at") {
  int *x = nullptr, *y = device_memory();
  LATER;
  fill<<<1, 2048>>>(y, 1);
  if (cudaMalloc(&x, bytes) != cudaSuccess) std::exit(3);
  if (cudaGetLastError() != cudaSuccess) std::puts("cudaMalloc failed?");
}
PROGRAM(stale_error_of_a_handled_call,
        "^error looked at too late .*cudaMalloc failed with cudaErrorMemoryAllocation.*after the launch at") {
  int* y = device_memory();
  void* x = nullptr;
  LATER;
  if (cudaMalloc(&x, std::size_t{1} << 50) != cudaSuccess) x = nullptr;
  fill<<<4, 256>>>(y, 1);
  if (cudaGetLastError() != cudaSuccess) std::puts("the launch failed?");
  cudaDeviceSynchronize();
}
PROGRAM(result_kept_and_shown_late, "^error looked at too late .*cudaMemset failed") {
  int* x = device_memory();
  LATER;
  const cudaError_t e = cudaMemset(x, 0, bytes + 1);
  fill<<<4, 256>>>(x, 1);
  cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(e));
}
PROGRAM(stream_of_another_device, "^error not looked at .*the launch of fill .*belongs to device 0, and device 1") {
  cudaStream_t a = stream();
  cudaSetDevice(1);
  int* x = device_memory();
  LATER;
  fill<<<4, 256, 0, a>>>(x, 1);
  cudaDeviceSynchronize();
}

int main(int count, char** arguments) { return run_programs(count, arguments); }
