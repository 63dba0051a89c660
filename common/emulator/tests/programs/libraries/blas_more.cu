// The functions of cuBLAS that programs call besides products: vectors, solutions, other types.
#include <cublas_v2.h>

#include <vector>

#include "verify.h"

int main() {
  cublasHandle_t handle;
  verify(cublasCreate_v2(&handle) == CUBLAS_STATUS_SUCCESS, "a handle");
  const std::vector<float> x = {3, -7, 2, 0.5F}, a = {2, 1, 0, 4};  // column-major: 2 0 / 1 4
  float *dx, *dy, *da;
  cudaMalloc(&dx, 4 * sizeof(float));
  cudaMalloc(&dy, 4 * sizeof(float));
  cudaMalloc(&da, 4 * sizeof(float));
  cublasSetVector(4, sizeof(float), x.data(), 1, dx, 1);
  cublasSetMatrix(2, 2, sizeof(float), a.data(), 2, da, 2);
  int largest = 0, smallest = 0;
  cublasIsamax(handle, 4, dx, 1, &largest);
  cublasIsamin(handle, 4, dx, 1, &smallest);
  verify(largest == 2 && smallest == 4, "the places of extremes, from 1");
  cublasScopy(handle, 4, dx, 1, dy, 1);
  const float one = 1, zero = 0;
  cublasStrsv(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, da, 2, dy, 1);
  std::vector<float> y(4);
  cublasGetVector(4, sizeof(float), dy, 1, y.data(), 1);
  verify(y[0] == 1.5F && y[1] == -2.125F, "a triangular system");
  cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, &one, da, 2, &zero, nullptr, 2, dy, 2);
  cublasGetMatrix(2, 2, sizeof(float), dy, 2, y.data(), 2);
  verify(y == std::vector<float>({2, 0, 1, 4}), "a transpose");

  std::vector<half> halves = {half(2.0F), half(1.0F), half(0.0F), half(4.0F)};
  half* dh;
  cudaMalloc(&dh, 4 * sizeof(half));
  cudaMemcpy(dh, halves.data(), 4 * sizeof(half), cudaMemcpyHostToDevice);
  verify(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, dh, CUDA_R_16F, 2, dh, CUDA_R_16F, 2, &zero, dy,
                      CUDA_R_32F, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DFALT_TENSOR_OP) == CUBLAS_STATUS_SUCCESS,
         "a product of halves");
  cudaMemcpy(y.data(), dy, 4 * sizeof(float), cudaMemcpyDeviceToHost);
  verify(y == std::vector<float>({4, 6, 0, 16}), "the product of halves");
  const float two = 2;
  verify(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &two, dh, CUDA_R_16F, 2, dh, CUDA_R_16F, 2, &zero, dy,
                      CUDA_R_32F, 2, CUDA_R_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS,
         "a product with the older type of the computation");
  cudaMemcpy(y.data(), dy, 4 * sizeof(float), cudaMemcpyDeviceToHost);
  verify(y == std::vector<float>({8, 12, 0, 32}), "the product with the older type");
  cublasDestroy(handle);
  return passed();
}
