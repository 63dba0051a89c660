// SPDX-License-Identifier: MIT
// Operations in streams that are in order: the twins of the faulty ones, and others.
#include <thread>

#include "programs.h"

PROGRAM(two_kernels_write, "") {
  int *x = device_memory();
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
  int *x = device_memory();
  cudaStream_t a = stream(), b = stream();
  fill<<<2, 256, 0, a>>>(x, 1);
  fill<<<1, 256, 0, b>>>(x + 512, 2);
  cudaDeviceSynchronize();
}
PROGRAM(atomic_and_plain, "") {
  int *x = device_memory();
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
  int *x = nullptr;
  cudaMalloc(&x, bytes);
  cudaMemset(x, 0, bytes);
  increment<<<4, 256, 0, stream(cudaStreamDefault)>>>(x);
  cudaDeviceSynchronize();
}
PROGRAM(fill_in_another_stream, "") {
  int *x = device_memory();
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
static __device__ int variable[4];
static __global__ void use_variable(int *out) { out[threadIdx.x] = variable[threadIdx.x]; }
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
  int *x = device_memory();
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
  int *x = device_memory();
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
  int *x = device_memory();
  cudaStream_t a = stream(), b = stream(), c = stream();
  fill<<<4, 256, 0, a>>>(x, 1);
  order(a, b);
  order(b, c);
  increment<<<4, 256, 0, c>>>(x);
  cudaStreamSynchronize(c);
}
PROGRAM(many_streams_one_after_the_other, "") {
  int *x = device_memory();
  for (int i = 0; i < 50; ++i) {
    cudaStream_t a = stream();
    increment<<<4, 256, 0, a>>>(x);
    cudaStreamSynchronize(a);
    cudaStreamDestroy(a);
  }
}
PROGRAM(stream_destroyed_with_work, "") {
  int *x = device_memory();
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
  int *x = device_memory();
  cudaStream_t a = stream();
  fill<<<4, 256, 0, a>>>(x, 1);
  int *y = pinned_memory(), *z = managed_memory();
  y[0] = z[0] = 1;
  cudaStreamSynchronize(a);
}
PROGRAM(times_by_events, "") {
  int *x = managed_memory();
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
