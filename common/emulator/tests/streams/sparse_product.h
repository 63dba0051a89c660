// SPDX-License-Identifier: MIT
// A product of a sparse matrix of 4 x 4 elements with a vector, and a scatter.
#pragma once

#include <cusparse.h>

#include <vector>

#include "programs.h"

#define SPARSE(call) REQUIRE((call) == CUSPARSE_STATUS_SUCCESS)

template <class T>
T* on_device(const std::vector<T>& values) {
  T* memory = nullptr;
  cudaMalloc(&memory, values.size() * sizeof(T));
  cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return memory;
}

struct SparseProduct {
  /// The second element is in the column `second`.
  explicit SparseProduct(int second)
      : offsets(on_device<int>({0, 1, 2, 3, 4})),
        columns(on_device<int>({1, second, 3, 2})),
        values(on_device<float>({1, 2, 3, 4})),
        x(on_device<int>({0, 0, 0, 0})),
        y(on_device<float>({0, 0, 0, 0})),
        buffer(on_device<char>(std::vector<char>(4096))) {}
  void run(cudaStream_t stream) const {
    cusparseHandle_t handle;
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t from, to;
    SPARSE(cusparseCreate(&handle));
    SPARSE(cusparseSetStream(handle, stream));
    SPARSE(cusparseCreateCsr(&matrix, 4, 4, 4, offsets, columns, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    SPARSE(cusparseCreateDnVec(&from, 4, x, CUDA_R_32F));
    SPARSE(cusparseCreateDnVec(&to, 4, y, CUDA_R_32F));
    const float one = 1, zero = 0;
    // The line of the next call is that of the reports.
    cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, from, &zero, to, CUDA_R_32F,
                 CUSPARSE_SPMV_ALG_DEFAULT, buffer);
  }
  int *offsets, *columns;
  float* values;
  int* x;  // zeros, as float, too
  float* y;
  char* buffer;
};

/// Writes the elements of y with these indices.
inline void scatter_to(int* y, const std::vector<int>& indices, cudaStream_t stream) {
  cusparseHandle_t handle;
  cusparseSpVecDescr_t from;
  cusparseDnVecDescr_t to;
  SPARSE(cusparseCreate(&handle));
  SPARSE(cusparseSetStream(handle, stream));
  SPARSE(cusparseCreateSpVec(&from, n, int64_t(indices.size()), on_device(indices),
                             on_device(std::vector<float>(indices.size())), CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  SPARSE(cusparseCreateDnVec(&to, n, y, CUDA_R_32F));
  SPARSE(cusparseScatter(handle, from, to));
}
