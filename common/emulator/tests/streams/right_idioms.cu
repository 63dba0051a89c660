// SPDX-License-Identifier: MIT
// Programs as courses have them, without a fault: the twins of faulty_idioms.cu.
#include "idioms.cuh"

PROGRAM(grid_stride, "") {
  float *x = managed_array<float>(n), *y = managed_array<float>(n);
  for (int i = 0; i < n; ++i) x[i] = 1, y[i] = 2;
  int device = 0;
  cudaGetDevice(&device);
#if __CUDACC_VER_MAJOR__ >= 13
  const cudaMemLocation place{cudaMemLocationTypeDevice, device};
  cudaMemPrefetchAsync(x, n * sizeof(float), place, 0, nullptr);
#else
  cudaMemPrefetchAsync(x, n * sizeof(float), device, nullptr);
#endif
  add_grid_stride<true><<<2, 64>>>(n, y, x);
  cudaDeviceSynchronize();
  REQUIRE(y[0] == 3 && y[n - 1] == 3);
}
PROGRAM(aggregated_atomics, "") {
  int *in = managed_array<int>(n), *out = managed_array<int>(n), *count = managed_array<int>(1);
  for (int i = 0; i < n; ++i) in[i] = i;
  *count = 0;
  filter_even<true><<<n / 128, 128>>>(in, out, count, n);
  cudaDeviceSynchronize();
  long sum = 0;
  for (int i = 0; i < *count; ++i) sum += out[i];
  REQUIRE(*count == n / 2 && sum == long{n} / 2 * (n / 2 - 1));
}
PROGRAM(tiled_partition, "") {
  int *in = managed_array<int>(n), *sums = managed_array<int>(n / 256);
  for (int i = 0; i < n; ++i) in[i] = i;
  for (int i = 0; i < n / 256; ++i) sums[i] = 0;
  sum_by_tiles<true><<<n / 256, 256>>>(in, sums);
  cudaDeviceSynchronize();
  REQUIRE(sums[0] == 255 * 128 && sums[1] == 255 * 128 + 256 * 256);
}
PROGRAM(double_buffers, "") {
  int *in = managed_array<int>(n), *out = managed_array<int>(64);
  for (int i = 0; i < n; ++i) in[i] = i;
  sum_tiles_by_pipeline<true><<<1, 64>>>(in, out, n / 64);
  cudaDeviceSynchronize();
  REQUIRE(out[63] == 64 * 120 && out[0] == 64 * 120 + 16 * 63);
}
PROGRAM(device_reduce, "") {
  int *in = managed_array<int>(n), *out = managed_array<int>(1);
  for (int i = 0; i < n; ++i) in[i] = 2;
  void *storage = nullptr;
  std::size_t size = 0;
  cub::DeviceReduce::Sum(storage, size, in, out, n);
  cudaMalloc(&storage, size);
  cub::DeviceReduce::Sum(storage, size, in, out, n);
  cudaDeviceSynchronize();
  REQUIRE(*out == 2 * n);
}
PROGRAM(event_after_the_kernel, "") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  fill<<<4, 256, 0, a>>>(x, 3);
  cudaStreamWaitEvent(b, recorded(a), 0);
  copy<<<4, 256, 0, b>>>(x, y);
  int result = 0;
  cudaMemcpyAsync(&result, y + 5, sizeof(int), cudaMemcpyDeviceToHost, b);
  cudaStreamSynchronize(b);
  REQUIRE(result == 3);
}
PROGRAM(template_of_a_size, "") {
  constexpr int size = 50;
  float *in = managed_array<float>(size * size), *out = managed_array<float>(size * size);
  for (int i = 0; i < size * size; ++i) in[i] = static_cast<float>(i);
  transpose<16, true><<<dim3(4, 4), dim3(16, 16)>>>(in, out, size);
  cudaDeviceSynchronize();
  for (int i = 0; i < size * size; ++i) REQUIRE(out[i] == in[i % size * size + i / size]);
}
PROGRAM(lambda_with_captures, "") {
  int *x = device_memory();
  const int factor = 3;
  for_each_index<<<4, 256>>>(n, [=] __device__(int i) { x[i] = factor * i; });
  int result = 0;
  cudaMemcpy(&result, x + 9, sizeof(int), cudaMemcpyDeviceToHost);
  REQUIRE(result == 27);
}
PROGRAM(constant_table, "") {
  const float table[5] = {1, 2, 3, 2, 1};
  cudaMemcpyToSymbol(weights, table, sizeof table);
  float *in = managed_array<float>(n), *out = managed_array<float>(n);
  for (int i = 0; i < n; ++i) in[i] = 1;
  smooth<<<4, 256>>>(in, out, n);
  cudaDeviceSynchronize();
  REQUIRE(out[0] == 6 && out[5] == 9 && out[n - 2] == 8);
}
PROGRAM(random_numbers, "") {
  constexpr int generators = 100;
  curandState *states = nullptr;
  cudaMalloc(&states, generators * sizeof(curandState));
  int *total = device_memory(1);
  begin_generators<true><<<2, 64>>>(states, generators);
  count_in_circle<<<2, 64>>>(states, generators, 50, total);
  int inside = 0;
  cudaMemcpy(&inside, total, sizeof inside, cudaMemcpyDeviceToHost);
  REQUIRE(inside > 3700 && inside < 4150);  // 5000 pi / 4 is 3927, with a deviation of 29
}
PROGRAM(list_in_managed_memory, "") {
  Node *first = nullptr;
  for (int i = 1; i <= 4; ++i) {
    Node *node = managed_array<Node>(1);
    *node = {i, first};
    first = node;
  }
  int *out = managed_array<int>(1);
  sum_list<<<1, 1>>>(first, out);
  cudaDeviceSynchronize();
  REQUIRE(*out == 10);
}
