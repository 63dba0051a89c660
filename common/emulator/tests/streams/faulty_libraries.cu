// SPDX-License-Identifier: MIT
// Functions of libraries whose memory other work uses without an order, or whose memory is wrong.
#include <cufft.h>

#include "programs.h"

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
