// SPDX-License-Identifier: MIT
// Functions of libraries in an order, and of parts of the same memory.
#include <cufft.h>

#include "all_reduce.h"
#include "programs.h"
#include "sparse_product.h"

namespace {

cufftComplex *complex_numbers(void *memory) { return static_cast<cufftComplex *>(memory); }

}  // namespace

PROGRAM(transform_waits_for_its_input, "") {
  int *x = device_memory(), *y = device_memory(), *z = device_memory();
  cudaStream_t a = stream(), b = stream();
  cufftHandle plan;
  REQUIRE(cufftPlan1d(&plan, n / 2, CUFFT_C2C, 1) == CUFFT_SUCCESS);
  REQUIRE(cufftSetStream(plan, b) == CUFFT_SUCCESS);
  fill<<<4, 256, 0, a>>>(x, 1);
  order(a, b);
  REQUIRE(cufftExecC2C(plan, complex_numbers(x), complex_numbers(y), CUFFT_FORWARD) == CUFFT_SUCCESS);
  order(b, a);
  copy<<<4, 256, 0, a>>>(y, z);
  fill<<<4, 256, 0, a>>>(x, 2);
  cudaDeviceSynchronize();
}
PROGRAM(transforms_of_two_columns, "") {
  // The even numbers in one stream, the odd ones in another: the same allocation, no common byte.
  int *x = device_memory();
  int size[] = {n / 4};
  for (int i = 0; i < 2; ++i) {
    cufftHandle plan;
    REQUIRE(cufftPlanMany(&plan, 1, size, size, 2, 1, size, 2, 1, CUFFT_C2C, 1) == CUFFT_SUCCESS);
    REQUIRE(cufftSetStream(plan, stream()) == CUFFT_SUCCESS);
    REQUIRE(cufftExecC2C(plan, complex_numbers(x) + i, complex_numbers(x) + i, CUFFT_FORWARD) == CUFFT_SUCCESS);
  }
  cudaDeviceSynchronize();
}
PROGRAM(transform_writes_what_a_kernel_reads, "") {
  int *x = device_memory(), *y = nullptr, *z = device_memory();
  cudaMalloc(&y, bytes);
  cufftHandle plan;
  REQUIRE(cufftPlan1d(&plan, n / 2, CUFFT_C2C, 1) == CUFFT_SUCCESS);
  REQUIRE(cufftExecC2C(plan, complex_numbers(x), complex_numbers(y), CUFFT_FORWARD) == CUFFT_SUCCESS);
  copy<<<4, 256>>>(y, z);
  cudaDeviceSynchronize();
}
PROGRAM(sparse_product_waits_for_its_vector, "") {
  const SparseProduct product(0);
  cudaStream_t a = stream(), b = stream();
  fill<<<1, 4, 0, a>>>(product.x, 1);
  order(a, b);
  product.run(b);
  order(b, a);
  fill<<<1, 4, 0, a>>>(product.x, 2);
  cudaDeviceSynchronize();
}
PROGRAM(scatter_into_other_elements, "") {
  int *y = device_memory();
  scatter_to(y, {0, 2, 4}, stream());
  scatter_to(y, {1, 3, 5}, stream());
  cudaDeviceSynchronize();
}
PROGRAM(sum_over_devices_in_order, "") {
  const AllReduce sum;
  for (int round = 0; round < 3; ++round) {
    for (int rank = 0; rank < 2; ++rank) {
      cudaSetDevice(rank);
      fill<<<4, 256, 0, sum.streams[rank]>>>(sum.x[rank], round);
    }
    sum.run(2);
  }
  sum.wait();
}
