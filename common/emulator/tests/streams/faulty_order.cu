// SPDX-License-Identifier: MIT
// Two operations in streams without an order.
#include <thread>

#include "programs.h"

PROGRAM(two_kernels_write, "^missing order .*kernel fill in stream 2 .* writes element 0.*kernel fill in stream 1") {
  int *x = device_memory();
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
  int *x = device_memory();
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
  int *x = nullptr;
  cudaMalloc(&x, bytes);
  EARLIER;
  cudaMemset(x, 0, bytes);
  LATER;
  increment<<<4, 256, 0, stream()>>>(x);
  cudaDeviceSynchronize();
}
PROGRAM(fill_in_another_stream, "^missing order .*cudaMemsetAsync in stream 2 .* writes element 0") {
  int *x = device_memory();
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

static __device__ int variable[4];
static __global__ void use_variable(int *out) { out[threadIdx.x] = variable[threadIdx.x]; }
PROGRAM(variable_of_the_device, "^missing order .*cudaMemcpyToSymbolAsync in stream 2") {
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
  int *x = device_memory();
  const auto work = [x](int value) { fill<<<4, 256, 0, stream()>>>(x, value); };
  std::thread first(work, 1);
  first.join();
  std::thread second(work, 2);
  second.join();
  cudaDeviceSynchronize();
}

PROGRAM(peer_copy_without_an_event, "^missing order .*cudaMemcpyPeerAsync in stream 1 .* of device 1 .*kernel fill") {
  int *x = device_memory();
  EARLIER;
  fill<<<4, 256>>>(x, 1);
  cudaSetDevice(1);
  int *y = device_memory();
  cudaStream_t a = stream();
  LATER;
  cudaMemcpyPeerAsync(y, 1, x, 0, bytes, a);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  cudaDeviceSynchronize();
}
PROGRAM(waits_for_the_wrong_device, "^missing wait .*the host reads element 0") {
  int *x = managed_memory();
  EARLIER;
  fill<<<4, 256>>>(x, 1);
  cudaSetDevice(1);
  cudaDeviceSynchronize();
  LATER;
  std::printf("%d\n", x[0]);
  cudaSetDevice(0);
  cudaDeviceSynchronize();
}
