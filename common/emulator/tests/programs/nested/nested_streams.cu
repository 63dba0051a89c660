// SPDX-License-Identifier: MIT
// Streams of the device: what a kernel launches runs in the order of its streams and events, tail launches last, and a
// grid ends when what it launched has ended.
#include "verify.h"

__global__ void append(int* list, int value) { list[1 + atomicAdd(&list[0], 1)] = value; }

// Of each block in the default stream, which its threads share.
__global__ void in_default_stream(int* lists) {
  int* const list = lists + blockIdx.x * 16;
  for (int round = 0; round < 3; ++round) {
    if (threadIdx.x == round) {
      append<<<1, 1>>>(list, 10 * round);
      append<<<1, 1>>>(list, 10 * round + 1);
    }
    __syncthreads();
  }
}

__global__ void with_events(int* list) {
  cudaStream_t first, second;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  append<<<1, 1, 0, first>>>(list, 1);
  append<<<1, 1, 0, first>>>(list, 2);
  cudaEventRecord(event, first);
  append<<<1, 1, 0, second>>>(list, 3);
  cudaStreamWaitEvent(second, event, 0);
  append<<<1, 1, 0, second>>>(list, 4);
  append<<<1, 1, 0, cudaStreamFireAndForget>>>(list, 5);
  cudaEventDestroy(event);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

__global__ void tail(int* list) {
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 100);
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 101);
  append<<<1, 1>>>(list, 1);
  append<<<1, 1, 0, cudaStreamFireAndForget>>>(list, 2);
}
// A loop whose condition the device tests, and that has more rounds than grids can be nested.
__global__ void countdown(int* left, int* rounds) {
  ++*rounds;
  if (--*left > 0) countdown<<<1, 1, 0, cudaStreamTailLaunch>>>(left, rounds);
}

__global__ void double_all(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}
// The child sees what its parent wrote, and later work of the host's stream sees both.
__global__ void write_and_double(int* values, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) double_all<<<(n + 63) / 64, 64>>>(values, n);
}
__global__ void sum(const int* values, int n, int* out) {
  int all = 0;
  for (int i = 0; i < n; ++i) all += values[i];
  *out = all;
}

__global__ void copies(int* to, const int* from, int n) {
  if (threadIdx.x != 0) return;
  cudaMemsetAsync(to, 0xff, (n + 1) * sizeof(int), 0);
  cudaMemcpyAsync(to, from, n * sizeof(int), cudaMemcpyDeviceToDevice, 0);
  double_all<<<1, 32>>>(to, n);
  // Two columns of four of a matrix with 4 rows, and the other two.
  cudaMemcpy2DAsync(to + 32, 4 * sizeof(int), from, 2 * sizeof(int), 2 * sizeof(int), 4, cudaMemcpyDeviceToDevice, 0);
  cudaMemset2DAsync(to + 34, 4 * sizeof(int), 0, 2 * sizeof(int), 4, 0);
}

__global__ void many(int* counter) {
  for (int i = 0; i < 20; ++i) append<<<1, 1>>>(counter + threadIdx.x * 32, i);
}

__global__ void deep(int* reached, int depth) {
  atomicMax(reached, depth);
  if (depth < 24) deep<<<1, 1>>>(reached, depth + 1);
}

__global__ void limits(int* out) {
  size_t count = 0;
  int device = -1;
  out[0] = cudaDeviceGetLimit(&count, cudaLimitDevRuntimePendingLaunchCount) == cudaSuccess && count == 4096;
  out[1] = cudaGetDevice(&device) == cudaSuccess && device == 0;
}

int* zeros(int n) {
  int* memory;
  CHECK(cudaMallocManaged(&memory, n * sizeof(int)));
  for (int i = 0; i < n; ++i) memory[i] = 0;
  return memory;
}

void orders() {
  int* list = zeros(64);
  in_default_stream<<<4, 32>>>(list);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  for (int block = 0; block < 4; ++block) {
    const int expected[] = {6, 0, 1, 10, 11, 20, 21};
    for (int i = 0; i < 7; ++i) verify(list[block * 16 + i] == expected[i], "the order of the default stream");
  }
  const auto position = [&list](int value) {
    for (int i = 0; i < list[0]; ++i) {
      if (list[1 + i] == value) return i;
    }
    return -1;
  };
  list[0] = 0;
  with_events<<<1, 1>>>(list);
  CHECK(cudaDeviceSynchronize());
  verify(list[0] == 5 && position(1) < position(2) && position(2) < position(4) && position(3) < position(4),
         "the order of streams and events");
  list[0] = 0;
  tail<<<1, 1>>>(list);
  CHECK(cudaDeviceSynchronize());
  verify(list[0] == 4 && list[3] == 100 && list[4] == 101, "tail launches are last");
  CHECK(cudaFree(list));
}

void memory() {
  constexpr int n = 1000;
  int* values = zeros(n);
  int* out = zeros(2);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  write_and_double<<<1, 128, 0, stream>>>(values, n);
  sum<<<1, 1, 0, stream>>>(values, n, out);
  CHECK(cudaStreamSynchronize(stream));
  verify(*out == n * (n - 1), "parent, child and successor");
  CHECK(cudaStreamDestroy(stream));
  out[0] = 100;
  out[1] = 0;
  countdown<<<1, 1>>>(out, out + 1);
  CHECK(cudaDeviceSynchronize());
  verify(out[0] == 0 && out[1] == 100, "tail launches in a loop");

  int* to = zeros(48);
  int* from = zeros(8);
  for (int i = 0; i < 8; ++i) from[i] = i + 1;
  copies<<<1, 32>>>(to, from, 8);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 8; ++i) verify(to[i] == 2 * (i + 1), "a copy and a kernel");
  verify(to[8] == -1 && to[9] == 0, "a fill");
  for (int i = 0; i < 16; ++i) verify(to[32 + i] == (i % 4 < 2 ? i / 4 * 2 + i % 4 + 1 : 0), "a copy of rows");
  for (int* each : {values, out, to, from}) CHECK(cudaFree(each));
}

void sizes() {
  int* out = zeros(256 * 32);
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 8192));
  many<<<1, 256>>>(out);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 256; ++i) verify(out[i * 32] == 20, "many launches");
  out[0] = 0;
  deep<<<1, 1>>>(out, 0);
  CHECK(cudaDeviceSynchronize());
  verify(out[0] == 24, "24 levels");
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096));
  limits<<<1, 1>>>(out);
  CHECK(cudaDeviceSynchronize());
  verify(out[0] == 1 && out[1] == 1, "the device in a kernel");
  CHECK(cudaFree(out));
}

int main() {
  orders();
  memory();
  sizes();
  return passed();
}
