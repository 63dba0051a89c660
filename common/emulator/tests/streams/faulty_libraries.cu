// SPDX-License-Identifier: MIT
// Functions of libraries whose memory other work uses without an order, or whose memory is wrong.
#include <cufft.h>

#include <cstdlib>

#include "all_reduce.h"
#include "programs.h"
#include "sparse_product.h"

namespace {

/// A plan of `count` complex numbers in a stream.
cufftHandle plan_in(cudaStream_t stream, int count) {
  cufftHandle plan;
  REQUIRE(cufftPlan1d(&plan, count, CUFFT_C2C, 1) == CUFFT_SUCCESS);
  REQUIRE(cufftSetStream(plan, stream) == CUFFT_SUCCESS);
  return plan;
}
cufftComplex *complex_numbers(void *memory) { return static_cast<cufftComplex *>(memory); }

}  // namespace

PROGRAM(input_of_a_transform_is_written,
        "^missing order .*kernel fill in stream 2 .* writes element 0 .*which cufftExecC2C in stream 1 .* reads:") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  const cufftHandle plan = plan_in(a, n / 2);
  EARLIER;
  cufftExecC2C(plan, complex_numbers(x), complex_numbers(y), CUFFT_FORWARD);
  LATER;
  fill<<<4, 256, 0, b>>>(x, 1);
  cudaDeviceSynchronize();
}
PROGRAM(result_of_a_transform_is_read, "^missing order .*kernel copy .* reads .*which cufftExecC2C in .* writes") {
  int *x = device_memory(), *y = device_memory(), *z = device_memory();
  cudaStream_t a = stream(), b = stream();
  const cufftHandle plan = plan_in(a, n / 2);
  EARLIER;
  cufftExecC2C(plan, complex_numbers(x), complex_numbers(y), CUFFT_FORWARD);
  LATER;
  copy<<<4, 256, 0, b>>>(y, z);
  cudaDeviceSynchronize();
}
PROGRAM(transform_before_its_input, "^missing order .*cufftExecC2C in stream 2 .* reads element 0 .*kernel fill in") {
  int *x = device_memory(), *y = device_memory();
  cudaStream_t a = stream(), b = stream();
  const cufftHandle plan = plan_in(b, n / 2);
  EARLIER;
  fill<<<4, 256, 0, a>>>(x, 1);
  LATER;
  cufftExecC2C(plan, complex_numbers(x), complex_numbers(y), CUFFT_FORWARD);
  cudaDeviceSynchronize();
}
PROGRAM(transform_beyond_the_end,
        "^out of bounds at faulty_libraries.cu:[0-9]+: cufftExecC2C writes 4096 bytes from byte 8 of allocation") {
  int *x = device_memory(), *y = device_memory();
  const cufftHandle plan = plan_in(nullptr, n / 2);
  cufftExecC2C(plan, complex_numbers(x), complex_numbers(y) + 1, CUFFT_FORWARD);
  REQUIRE(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}
PROGRAM(transform_of_host_memory, "^wrong address at faulty_libraries.cu:[0-9]+: cufftExecC2C reads 0x") {
  static int x[n];
  int *y = device_memory();
  const cufftHandle plan = plan_in(nullptr, n / 2);
  cufftExecC2C(plan, complex_numbers(x), complex_numbers(y), CUFFT_FORWARD);
  REQUIRE(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}
PROGRAM(transform_of_nothing, "^uninitialised at faulty_libraries.cu:[0-9]+: cufftExecC2C reads byte 2048 of alloc") {
  int *x = nullptr, *y = device_memory();
  cudaMalloc(&x, bytes);
  cudaMemset(x, 0, bytes / 2);
  const cufftHandle plan = plan_in(nullptr, n / 2);
  cufftExecC2C(plan, complex_numbers(x), complex_numbers(y), CUFFT_FORWARD);
  REQUIRE(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
}
PROGRAM(vector_of_a_sparse_product_is_written,
        "^missing order .*kernel fill in stream 2 .* writes element 0 .*which cusparseSpMV in stream 1 .* reads:") {
  const SparseProduct product(0);
  cudaStream_t a = stream(), b = stream();
  product.run(a);
  LATER;
  fill<<<1, 4, 0, b>>>(product.x, 1);
  cudaDeviceSynchronize();
}
PROGRAM(sparse_product_of_a_wrong_column,
        "^out of bounds at .*sparse_product.h:[0-9]+: cusparseSpMV reads the index 7 at position 1, counted from the "
        "index base, but there are 4 columns") {
  const SparseProduct product(7);
  product.run(nullptr);
  REQUIRE(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}
PROGRAM(sparse_product_of_nothing, "^uninitialised at .*sparse_product.h:[0-9]+: cusparseSpMV reads byte 0 of alloc") {
  SparseProduct product(0);
  cudaMalloc(&product.x, 4 * sizeof(float));
  product.run(nullptr);
  REQUIRE(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
}
PROGRAM(scatter_into_the_same_elements,
        "^missing order .*cusparseScatter in stream 2 .* writes .*which cusparseScatter") {
  int *y = device_memory();
  scatter_to(y, {0, 2, 4}, stream());
  scatter_to(y, {1, 4, 5}, stream());
  cudaDeviceSynchronize();
}
PROGRAM(sum_over_devices_is_read,
        "^missing order .*kernel copy in stream [0-9]+ .* reads .*which ncclAllReduce in stream .* writes:") {
  const AllReduce sum;
  cudaSetDevice(0);
  cudaStream_t other = stream();
  int *z = device_memory();
  sum.run(2);
  copy<<<4, 256, 0, other>>>(sum.x[0], z);
  sum.wait();
}
PROGRAM(sum_of_a_device_that_never_comes,
        "^deadlock at .*all_reduce.h:[0-9]+: ncclAllReduce of rank 0 waits for a call of rank 1, and no other thread") {
  setenv("D2L_WATCHDOG_SECONDS", "1", 1);
  const AllReduce sum;
  sum.run(1);
  cudaSetDevice(0);
  REQUIRE(cudaStreamSynchronize(sum.streams[0]) == cudaErrorLaunchTimeout);
}
PROGRAM(sum_of_nothing, "^uninitialised at .*all_reduce.h:[0-9]+: ncclAllReduce reads byte 0 of alloc") {
  AllReduce sum(1);
  cudaMalloc(&sum.x[0], bytes);
  // The stream may have failed before the group ends.
  static_cast<void>(sum.issue(1));
  REQUIRE(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
}
