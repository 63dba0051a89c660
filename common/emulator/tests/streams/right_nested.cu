// SPDX-License-Identifier: MIT
// Kernels that launch kernels, in the right order.
#include "programs.h"

static __global__ void add_one(const int *in, int *out) { *out = *in + 1; }
static __global__ void sum(const int *in, int *out) {
  int all = 0;
  for (int i = 0; i < 32; ++i) all += in[i];
  *out = all;
}
static __global__ void after_barrier(int *x) {
  x[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) sum<<<1, 1>>>(x, x + 32);
}
static __global__ void after_syncwarp(int *x) {
  x[threadIdx.x] = threadIdx.x;
  __syncwarp();
  if (threadIdx.x == 0) sum<<<1, 1>>>(x, x + 32);
}
static __global__ void by_last_block(int *x, int *done) {
  x[blockIdx.x] = blockIdx.x;
  __threadfence();
  if (atomicAdd(done, 1) == gridDim.x - 1) sum<<<1, 1>>>(x, x + 32);
}
static __global__ void by_tail_launch(int *x) {
  sum<<<1, 1, 0, cudaStreamTailLaunch>>>(x, x + 32);
  x[threadIdx.x] = threadIdx.x;
}
static __global__ void two_in_a_stream(int *x) {
  add_one<<<1, 1>>>(x, x + 1);
  add_one<<<1, 1>>>(x + 1, x + 2);
}
static __global__ void reads_only(int *x) {
  add_one<<<1, 1>>>(x, x + 1);
  x[3] = x[0];
}

PROGRAM(child_after_barrier, "") {
  after_barrier<<<1, 32>>>(device_memory());
  cudaDeviceSynchronize();
}
PROGRAM(child_after_syncwarp, "") {
  after_syncwarp<<<1, 32>>>(device_memory());
  cudaDeviceSynchronize();
}
PROGRAM(child_of_last_block, "") {
  int *x = device_memory(), *done = device_memory();
  by_last_block<<<32, 1>>>(x, done);
  cudaDeviceSynchronize();
  int result = 0;
  cudaMemcpy(&result, x + 32, sizeof(int), cudaMemcpyDeviceToHost);
  REQUIRE(result == 31 * 16);
}
PROGRAM(child_in_tail_launch, "") {
  by_tail_launch<<<1, 32>>>(device_memory());
  cudaDeviceSynchronize();
}
PROGRAM(children_in_a_stream, "") {
  two_in_a_stream<<<1, 1>>>(device_memory());
  reads_only<<<1, 1>>>(device_memory());
  cudaDeviceSynchronize();
}
