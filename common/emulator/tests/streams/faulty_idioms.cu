// SPDX-License-Identifier: MIT
// Programs as courses have them, each with a fault that they warn of.
#include "idioms.cuh"

PROGRAM(grid_stride, "^race .*kernel add_grid_stride.*y\\[[0-9]+\\]") {
  float *x = device_memory<float>(), *y = device_memory<float>();
  add_grid_stride<false><<<2, 64>>>(n, y, x);
  cudaDeviceSynchronize();
}
PROGRAM(aggregated_atomics, "^race .*kernel filter_even.*count") {
  int *in = device_memory(), *out = device_memory(), *count = device_memory(1);
  filter_even<false><<<n / 128, 128>>>(in, out, count, n);
  cudaDeviceSynchronize();
}
PROGRAM(tiled_partition, "^(race|uninitialised) .*kernel sum_by_tiles.*parts\\[") {
  int *in = device_memory(), *sums = device_memory(n / 256);
  sum_by_tiles<false><<<n / 256, 256>>>(in, sums);
  cudaDeviceSynchronize();
}
PROGRAM(double_buffers, "^race .*kernel sum_tiles_by_pipeline.*buffers\\[") {
  int *in = device_memory(), *out = device_memory(64);
  sum_tiles_by_pipeline<false><<<1, 64>>>(in, out, n / 64);
  cudaDeviceSynchronize();
}
PROGRAM(event_before_the_kernel, "^missing order .*kernel copy.*fill") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  cudaEvent_t early = recorded(a);
  EARLIER;
  fill<<<4, 256, 0, a>>>(x, 3);
  cudaStreamWaitEvent(b, early, 0);
  LATER;
  copy<<<4, 256, 0, b>>>(x, y);
  cudaDeviceSynchronize();
}
PROGRAM(template_of_a_size, "^(race|uninitialised) .*kernel transpose.*part\\[") {
  constexpr int size = 50;
  float *in = device_memory<float>(size * size), *out = device_memory<float>(size * size);
  transpose<16, false><<<dim3(4, 4), dim3(16, 16)>>>(in, out, size);
  cudaDeviceSynchronize();
}
PROGRAM(lambda_with_captures, "^host memory .*kernel for_each_index.*Copy what it points to") {
  int *const x = static_cast<int *>(std::malloc(bytes));
  for_each_index<<<4, 256>>>(n, [=] __device__(int i) { x[i] = i; });
  cudaDeviceSynchronize();
}
PROGRAM(constant_table, "^unread error .*cudaMemcpyToSymbol failed") {
  const float table[6] = {1, 2, 3, 2, 1, 0};
  LATER;
  cudaMemcpyToSymbol(weights, table, sizeof table);
  float *in = device_memory<float>(), *out = device_memory<float>();
  smooth<<<4, 256>>>(in, out, n);
  cudaDeviceSynchronize();
}
PROGRAM(random_numbers, "^out of bounds .*kernel begin_generators.*states\\[") {
  constexpr int generators = 100;
  curandState *states = nullptr;
  cudaMalloc(&states, generators * sizeof(curandState));
  begin_generators<false><<<2, 64>>>(states, generators);
  cudaDeviceSynchronize();
}
PROGRAM(list_in_managed_memory, "^host memory .*kernel sum_list") {
  Node last{1, nullptr};
  Node *first = managed_array<Node>(1);
  *first = {2, &last};
  int *out = managed_array<int>(1);
  sum_list<<<1, 1>>>(first, out);
  cudaDeviceSynchronize();
}
