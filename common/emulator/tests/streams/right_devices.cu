// SPDX-License-Identifier: MIT
// Two devices in order.
#include <thread>

#include "programs.h"

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
