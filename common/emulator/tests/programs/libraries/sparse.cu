// SPDX-License-Identifier: MIT
// cuSPARSE: products with vectors and matrices, of each format and type, against plain loops over a dense matrix.
#include <cmath>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "sparse_matrices.h"
#include "verify.h"

template <class T>
T conjugate(T value) {
  return value;
}
template <class T>
std::complex<T> conjugate(std::complex<T> value) {
  return std::conj(value);
}

/// Compares op(A) x and op(A) B with loops. `E` are the elements, `T` is what they are added in.
template <class E, class T, class Index>
void verify_products(cusparseHandle_t handle, Format format, int base, cusparseOperation_t op, bool on_device) {
  const Dense<T> a = pattern<T>(5, 7);
  const OnDevice<E, Index> matrix(a, format, base);
  const bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int rows = turned ? 7 : 5, inner = turned ? 5 : 7, columns = 3;
  const auto element = [&](int row, int k) {
    if (!turned) return a.at(row, k);
    return op == CUSPARSE_OPERATION_TRANSPOSE ? a.at(k, row) : conjugate(a.at(k, row));
  };
  const T alpha = T(1.5), beta = T(-0.5);
  const T* factors[] = {&alpha, &beta};
  T* device_factors = upload(std::vector<T>{alpha, beta});
  if (on_device) factors[0] = device_factors, factors[1] = device_factors + 1;
  SPARSE(cusparseSetPointerMode(handle, on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));

  const std::vector<T> x = numbers<T>(inner * columns), y = numbers<T>(rows * columns);
  E* const device_x = upload(converted<E>(x));
  for (const bool zero_beta : {false, true}) {  // then the result may hold anything
    E* const device_y = zero_beta ? memory_of<E>(rows) : upload(converted<E>(y));
    const T none{};
    T* const device_none = upload(std::vector<T>{none});
    const T* const second = zero_beta ? (on_device ? device_none : &none) : factors[1];
    cusparseDnVecDescr_t vector_x, vector_y;
    SPARSE(cusparseCreateDnVec(&vector_x, inner, device_x, type_of<E>()));
    SPARSE(cusparseCreateDnVec(&vector_y, rows, device_y, type_of<E>()));
    std::size_t bytes = 0;
    SPARSE(cusparseSpMV_bufferSize(handle, op, factors[0], matrix.description, vector_x, second, vector_y, type_of<T>(),
                                   CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    char* const buffer = memory_of<char>(bytes);
    SPARSE(cusparseSpMV(handle, op, factors[0], matrix.description, vector_x, second, vector_y, type_of<T>(),
                        CUSPARSE_SPMV_ALG_DEFAULT, buffer));
    const std::vector<E> result = download(device_y, rows);
    for (int row = 0; row < rows; ++row) {
      T sum = zero_beta ? T{} : beta * T(converted<E>(y)[row]);
      for (int k = 0; k < inner; ++k) sum += alpha * element(row, k) * T(converted<E>(x)[k]);
      REQUIRE(close(T(result[row]), sum, sizeof(E)));
    }
    SPARSE(cusparseDestroyDnVec(vector_x));
    SPARSE(cusparseDestroyDnVec(vector_y));
    release(device_y, device_none, buffer);
  }
  // C = alpha op(A) B' + beta C, where B is row by row and C column by column, each with a gap.
  for (const bool b_turned : {false, true}) {
    const int b_rows = b_turned ? columns : inner, b_columns = b_turned ? inner : columns;
    std::vector<T> b((b_columns + 1) * b_rows), c((rows + 2) * columns);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = numbers<T>(1 + int(i))[i];
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = T(0.25 * i);
    E *const device_b = upload(converted<E>(b)), *const device_c = upload(converted<E>(c));
    cusparseDnMatDescr_t matrix_b, matrix_c;
    SPARSE(
        cusparseCreateDnMat(&matrix_b, b_rows, b_columns, b_columns + 1, device_b, type_of<E>(), CUSPARSE_ORDER_ROW));
    SPARSE(cusparseCreateDnMat(&matrix_c, rows, columns, rows + 2, device_c, type_of<E>(), CUSPARSE_ORDER_COL));
    const auto op_b = b_turned ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
    std::size_t bytes = 0;
    SPARSE(cusparseSpMM_bufferSize(handle, op, op_b, factors[0], matrix.description, matrix_b, factors[1], matrix_c,
                                   type_of<T>(), CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
    char* const buffer = memory_of<char>(bytes);
    SPARSE(cusparseSpMM(handle, op, op_b, factors[0], matrix.description, matrix_b, factors[1], matrix_c, type_of<T>(),
                        CUSPARSE_SPMM_ALG_DEFAULT, buffer));
    const std::vector<E> result = download(device_c, c.size());
    for (int i = 0; i < int(c.size()); ++i) {
      const int row = i % (rows + 2), column = i / (rows + 2);
      T sum = T(converted<E>(c)[i]);
      if (row < rows) {
        sum *= beta;
        for (int k = 0; k < inner; ++k) {
          const int place = b_turned ? column * (b_columns + 1) + k : k * (b_columns + 1) + column;
          sum += alpha * element(row, k) * T(converted<E>(b)[place]);
        }
      }
      REQUIRE(close(T(result[i]), sum, sizeof(E)));
    }
    SPARSE(cusparseDestroyDnMat(matrix_b));
    SPARSE(cusparseDestroyDnMat(matrix_c));
    release(device_b, device_c, buffer);
  }
  release(device_x, device_factors);
}

void verify_vectors(cusparseHandle_t handle) {
  SPARSE(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  const std::vector<int> indices{1, 4, 6};
  const std::vector<float> x{2, -3, 0.5f}, y{1, 2, 3, 4, 5, 6, 7, 8};
  int* const device_indices = upload(indices);
  float *const device_x = upload(x), *const device_y = upload(y);
  cusparseSpVecDescr_t sparse;
  cusparseDnVecDescr_t dense;
  SPARSE(cusparseCreateSpVec(&sparse, 8, 3, device_indices, device_x, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                             CUDA_R_32F));
  SPARSE(cusparseCreateDnVec(&dense, 8, device_y, CUDA_R_32F));
  float result = 0;
  std::size_t bytes = 0;
  SPARSE(cusparseSpVV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, sparse, dense, &result, CUDA_R_32F, &bytes));
  char* const buffer = memory_of<char>(bytes);
  SPARSE(cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, sparse, dense, &result, CUDA_R_32F, buffer));
  CHECK(cudaDeviceSynchronize());
  REQUIRE(result == 2 * 2 - 3 * 5 + 0.5f * 7);
  const float alpha = 2, beta = 3;
  SPARSE(cusparseAxpby(handle, &alpha, sparse, &beta, dense));
  std::vector<float> expected = y;
  for (float& each : expected) each *= beta;
  for (int i = 0; i < 3; ++i) expected[indices[i]] += alpha * x[i];
  REQUIRE(download(device_y, 8) == expected);
  SPARSE(cusparseGather(handle, dense, sparse));
  const std::vector<float> gathered = download(device_x, 3);
  for (int i = 0; i < 3; ++i) REQUIRE(gathered[i] == expected[indices[i]]);
  CHECK(cudaMemset(device_y, 0, 8 * sizeof(float)));
  SPARSE(cusparseScatter(handle, sparse, dense));
  const std::vector<float> scattered = download(device_y, 8);
  for (int i = 0; i < 8; ++i) REQUIRE(scattered[i] == (i == 1 || i == 4 || i == 6 ? expected[i] : 0));
  const float c = 0.6f, s = 0.8f;
  SPARSE(cusparseRot(handle, &c, &s, sparse, dense));
  const std::vector<float> rotated_x = download(device_x, 3), rotated_y = download(device_y, 8);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(std::fabs(rotated_x[i] - (c + s) * gathered[i]) < 1e-4f);
    REQUIRE(std::fabs(rotated_y[indices[i]] - (c - s) * gathered[i]) < 1e-4f);
  }
  SPARSE(cusparseDestroySpVec(sparse));
  SPARSE(cusparseDestroyDnVec(dense));
  release(device_indices, device_x, device_y, buffer);
}

void verify_arguments(cusparseHandle_t handle) {
  const OnDevice<float, int> matrix(pattern<float>(5, 7), Format::csr, 0);
  float* const values = upload(std::vector<float>(8));
  cusparseDnVecDescr_t five, seven, doubles;
  SPARSE(cusparseCreateDnVec(&five, 5, values, CUDA_R_32F));
  SPARSE(cusparseCreateDnVec(&seven, 7, values, CUDA_R_32F));
  SPARSE(cusparseCreateDnVec(&doubles, 7, values, CUDA_R_64F));
  const float one = 1;
  std::size_t bytes = 0;
  const auto size = [&](cusparseHandle_t with, cusparseDnVecDescr_t x, cusparseDnVecDescr_t y) {
    return cusparseSpMV_bufferSize(with, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix.description, x, &one, y,
                                   CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
  };
  SPARSE(size(handle, seven, five));
  REQUIRE(size(handle, five, seven) == CUSPARSE_STATUS_INVALID_VALUE);
  REQUIRE(size(nullptr, seven, five) == CUSPARSE_STATUS_NOT_INITIALIZED);
  REQUIRE(size(handle, nullptr, five) == CUSPARSE_STATUS_INVALID_VALUE);
  REQUIRE(size(handle, doubles, five) == CUSPARSE_STATUS_NOT_SUPPORTED);
  cusparseSpMatDescr_t none;
  REQUIRE(cusparseCreateCsr(&none, -1, 7, 0, values, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F) == CUSPARSE_STATUS_INVALID_VALUE);
  int64_t rows = 0, columns = 0, nnz = 0;
  SPARSE(cusparseSpMatGetSize(matrix.description, &rows, &columns, &nnz));
  REQUIRE(rows == 5 && columns == 7 && nnz == matrix.nnz);
  REQUIRE(std::string(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT)) == "CUSPARSE_STATUS_ZERO_PIVOT");
  for (auto each : {five, seven, doubles}) SPARSE(cusparseDestroyDnVec(each));
  release(values);
}

int main() {
  cusparseHandle_t handle;
  SPARSE(cusparseCreate(&handle));
  int version = 0;
  SPARSE(cusparseGetVersion(handle, &version));
  REQUIRE(version >= 12000);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  SPARSE(cusparseSetStream(handle, stream));
  for (const auto op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE}) {
    for (const auto format : {Format::csr, Format::csc, Format::coo}) {
      verify_products<float, float, int>(handle, format, 0, op, false);
      verify_products<double, double, int64_t>(handle, format, 1, op, true);
    }
    verify_products<__half, float, int>(handle, Format::csr, 0, op, false);
    verify_products<__nv_bfloat16, float, int>(handle, Format::csr, 1, op, false);
  }
  for (const auto op : {CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE}) {
    verify_products<std::complex<float>, std::complex<float>, int>(handle, Format::csr, 0, op, false);
    verify_products<std::complex<double>, std::complex<double>, int>(handle, Format::coo, 0, op, true);
  }
  verify_vectors(handle);
  verify_arguments(handle);
  SPARSE(cusparseDestroy(handle));
  CHECK(cudaStreamDestroy(stream));
  return passed();
}
