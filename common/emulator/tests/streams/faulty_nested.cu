// SPDX-License-Identifier: MIT
// Kernels that launch kernels, with a fault in their order or in the launch.
#include "programs.h"

static __global__ void add_one(const int *in, int *out) { *out = *in + 1; }
static __global__ void beyond_the_end(int *x) { add_one<<<1, 1>>>(x, x + n); }
static __global__ void local_variable(int *x) {
  int value = 3;
  add_one<<<1, 1>>>(&value, x);
}
static __global__ void shared_variable(int *x) {
  __shared__ int value;
  value = 3;
  add_one<<<1, 1>>>(&value, x);
}
static __global__ void reads_result(int *x) {
  add_one<<<1, 1>>>(x, x + 1);
  x[2] = x[1];
}
static __global__ void writes_after(int *x) {
  add_one<<<1, 1>>>(x, x + 1);
  x[0] = 5;
}
static __global__ void without_barrier(int *x) {
  if (threadIdx.x == 1) x[0] = 5;
  if (threadIdx.x == 0) add_one<<<1, 1>>>(x, x + 1);
}
static __global__ void too_many_threads(int *x) { add_one<<<1, 2000>>>(x, x + 1); }
static __global__ void too_deep(int *x) { too_deep<<<1, 1>>>(x); }
static __global__ void stream_of_host(int *x, cudaStream_t s) { add_one<<<1, 1, 0, s>>>(x, x + 1); }

static __global__ void writes_by_child(int *x) { fill<<<1, 1>>>(x + 1, 7); }

PROGRAM(child_beyond_the_end, "^out of bounds .*kernel add_one.* write of 4 bytes") {
  beyond_the_end<<<1, 1>>>(device_memory());
  cudaDeviceSynchronize();
}
PROGRAM(child_with_local_variable, "argument 1 is an address of a local variable of the kernel that launches it") {
  local_variable<<<1, 1>>>(device_memory());
  cudaDeviceSynchronize();
}
PROGRAM(child_with_shared_variable, "argument 1 is an address of shared memory of the kernel that launches it") {
  shared_variable<<<1, 1>>>(device_memory());
  cudaDeviceSynchronize();
}
PROGRAM(parent_reads_result, "^race .*kernel add_one.*write after read.*with kernel reads_result, which launched it") {
  reads_result<<<1, 1>>>(device_memory());
  cudaDeviceSynchronize();
}
PROGRAM(parent_writes_after_launch, "^race .*read after write.*with kernel writes_after, which launched it") {
  writes_after<<<1, 1>>>(device_memory());
  cudaDeviceSynchronize();
}
PROGRAM(launch_without_barrier, "^race .*read after write.*with kernel without_barrier.* thread \\(1, 0, 0\\)") {
  without_barrier<<<1, 32>>>(device_memory());
  cudaDeviceSynchronize();
}
PROGRAM(child_with_too_many_threads,
        "the launch of add_one by kernel too_many_threads.*cudaErrorInvalidConfiguration") {
  too_many_threads<<<1, 1>>>(device_memory());
  cudaDeviceSynchronize();
}
PROGRAM(children_too_deep, "the launch of too_deep by kernel too_deep.*cudaErrorLaunchMaxDepthExceeded") {
  too_deep<<<1, 1>>>(device_memory());
  cudaDeviceSynchronize();
}
PROGRAM(child_in_stream_of_host, "the launch of add_one by kernel stream_of_host.*cudaErrorInvalidResourceHandle") {
  stream_of_host<<<1, 1>>>(device_memory(), stream());
  cudaDeviceSynchronize();
}
PROGRAM(child_in_another_stream, "^missing order .* reads element 1 .*writes") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  writes_by_child<<<1, 1, 0, a>>>(x);
  copy<<<1, 2, 0, b>>>(x, y);
  cudaDeviceSynchronize();
}
