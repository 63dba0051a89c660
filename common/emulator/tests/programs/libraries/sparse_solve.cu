// SPDX-License-Identifier: MIT
// cuSPARSE: triangular systems, products of sparse matrices, conversions, incomplete factors, and a captured product.
#include <cmath>
#include <complex>
#include <vector>

#include "sparse_matrices.h"
#include "verify.h"

constexpr int n = 6;
const double one = 1;

/// A matrix with a dominant diagonal and all elements in a band.
Dense<double> banded(int width) {
  Dense<double> a{n, n, std::vector<double>(n * n)};
  for (int row = 0; row < n; ++row) {
    for (int column = 0; column < n; ++column) {
      if (std::abs(row - column) <= width) a.at(row, column) = row == column ? 8 + row : 1.0 / (1 + row + 2 * column);
    }
  }
  return a;
}
Dense<double> product(const Dense<double>& a, const Dense<double>& b) {
  Dense<double> c{a.rows, b.columns, std::vector<double>(a.rows * b.columns)};
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < b.columns; ++j) {
      for (int k = 0; k < a.columns; ++k) c.at(i, j) += a.at(i, k) * b.at(k, j);
    }
  }
  return c;
}
bool same(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (!(std::fabs(a[i] - b[i]) < 1e-10)) return false;
  }
  return a.size() == b.size();
}

/// Solves with a triangle of a full matrix: the other triangle must not matter.
void verify_triangles(cusparseHandle_t handle) {
  const Dense<double> a = banded(n);
  OnDevice<double, int> matrix(a, Format::csr, 1);
  const std::vector<double> x = numbers<double>(2 * n);
  for (int choice = 0; choice < 8; ++choice) {
    auto fill = choice & 1 ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;
    auto diagonal = choice & 2 ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
    const auto op = choice & 4 ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
    SPARSE(cusparseSpMatSetAttribute(matrix.description, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
    SPARSE(cusparseSpMatSetAttribute(matrix.description, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
    Dense<double> triangle{n, n, std::vector<double>(n * n)};
    for (int row = 0; row < n; ++row) {
      for (int column = 0; column < n; ++column) {
        const bool inside = fill == CUSPARSE_FILL_MODE_LOWER ? column <= row : column >= row;
        double value = inside ? a.at(row, column) : 0;
        if (row == column && diagonal == CUSPARSE_DIAG_TYPE_UNIT) value = 1;
        (choice & 4 ? triangle.at(column, row) : triangle.at(row, column)) = value;
      }
    }
    const double alpha = 2;
    std::vector<double> right = product(triangle, {n, 2, x}).values;
    for (double& each : right) each /= alpha;
    std::vector<double> first(n);
    for (int i = 0; i < n; ++i) first[i] = right[2 * i];
    double *const b = upload(first), *const y = memory_of<double>(n);
    cusparseDnVecDescr_t vector_b, vector_y;
    SPARSE(cusparseCreateDnVec(&vector_b, n, b, CUDA_R_64F));
    SPARSE(cusparseCreateDnVec(&vector_y, n, y, CUDA_R_64F));
    cusparseSpSVDescr_t description;
    SPARSE(cusparseSpSV_createDescr(&description));
    std::size_t bytes = 0;
    SPARSE(cusparseSpSV_bufferSize(handle, op, &alpha, matrix.description, vector_b, vector_y, CUDA_R_64F,
                                   CUSPARSE_SPSV_ALG_DEFAULT, description, &bytes));
    char* const buffer = memory_of<char>(bytes);
    SPARSE(cusparseSpSV_analysis(handle, op, &alpha, matrix.description, vector_b, vector_y, CUDA_R_64F,
                                 CUSPARSE_SPSV_ALG_DEFAULT, description, buffer));
    SPARSE(cusparseSpSV_solve(handle, op, &alpha, matrix.description, vector_b, vector_y, CUDA_R_64F,
                              CUSPARSE_SPSV_ALG_DEFAULT, description));
    const std::vector<double> solution = download(y, n);
    for (int i = 0; i < n; ++i) REQUIRE(std::fabs(solution[i] - x[2 * i]) < 1e-10);
    if (choice == 0) {  // twice the matrix: half the solution
      std::vector<double> values = download(matrix.elements, matrix.nnz);
      for (double& each : values) each *= 2;
      double* const twice = upload(values);
      SPARSE(cusparseSpSV_updateMatrix(handle, description, twice, CUSPARSE_SPSV_UPDATE_GENERAL));
      SPARSE(cusparseSpSV_solve(handle, op, &alpha, matrix.description, vector_b, vector_y, CUDA_R_64F,
                                CUSPARSE_SPSV_ALG_DEFAULT, description));
      const std::vector<double> half = download(y, n);
      for (int i = 0; i < n; ++i) REQUIRE(std::fabs(half[i] - x[2 * i] / 2) < 1e-10);
      release(twice);
    }
    SPARSE(cusparseSpSV_destroyDescr(description));

    double *const many = upload(right), *const solved = memory_of<double>(2 * n);  // right-hand sides row by row
    cusparseDnMatDescr_t matrix_b, matrix_c;
    SPARSE(cusparseCreateDnMat(&matrix_b, n, 2, 2, many, CUDA_R_64F, CUSPARSE_ORDER_ROW));
    SPARSE(cusparseCreateDnMat(&matrix_c, n, 2, 2, solved, CUDA_R_64F, CUSPARSE_ORDER_ROW));
    cusparseSpSMDescr_t systems;
    SPARSE(cusparseSpSM_createDescr(&systems));
    SPARSE(cusparseSpSM_bufferSize(handle, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix.description, matrix_b,
                                   matrix_c, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, systems, &bytes));
    char* const second = memory_of<char>(bytes);
    SPARSE(cusparseSpSM_analysis(handle, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix.description, matrix_b,
                                 matrix_c, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, systems, second));
    SPARSE(cusparseSpSM_solve(handle, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, matrix.description, matrix_b,
                              matrix_c, CUDA_R_64F, CUSPARSE_SPSM_ALG_DEFAULT, systems));
    REQUIRE(same(download(solved, 2 * n), x));
    SPARSE(cusparseSpSM_destroyDescr(systems));
    SPARSE(cusparseDestroyDnMat(matrix_b));
    SPARSE(cusparseDestroyDnMat(matrix_c));
    SPARSE(cusparseDestroyDnVec(vector_b));
    SPARSE(cusparseDestroyDnVec(vector_y));
    release(b, y, buffer, many, solved, second);
  }
}

/// A dense matrix, row by row, as a sparse one of a format, and back.
void verify_conversions(cusparseHandle_t handle) {
  const Dense<double> a = pattern<double>(5, 7);
  double *const dense = upload(a.values), *const back = memory_of<double>(35);
  cusparseDnMatDescr_t matrix_a, matrix_back;
  SPARSE(cusparseCreateDnMat(&matrix_a, 5, 7, 7, dense, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  SPARSE(cusparseCreateDnMat(&matrix_back, 5, 7, 7, back, CUDA_R_64F, CUSPARSE_ORDER_ROW));
  for (const auto format : {Format::csr, Format::csc, Format::coo}) {
    const auto base = format == Format::csc ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
    cusparseSpMatDescr_t matrix;
    int* offsets = memory_of<int>(8);
    if (format == Format::coo) {
      SPARSE(cusparseCreateCoo(&matrix, 5, 7, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I, base, CUDA_R_64F));
    } else {
      const auto create = format == Format::csr ? cusparseCreateCsr : cusparseCreateCsc;
      SPARSE(create(&matrix, 5, 7, 0, offsets, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, base,
                    CUDA_R_64F));
    }
    std::size_t bytes = 0;
    SPARSE(cusparseDenseToSparse_bufferSize(handle, matrix_a, matrix, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes));
    char* const buffer = memory_of<char>(bytes);
    SPARSE(cusparseDenseToSparse_analysis(handle, matrix_a, matrix, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
    int64_t rows = 0, columns = 0, nnz = 0;
    SPARSE(cusparseSpMatGetSize(matrix, &rows, &columns, &nnz));
    const OnDevice<double, int> expected(a, format, base);
    REQUIRE(nnz == expected.nnz);
    int* const lines = memory_of<int>(nnz);
    int* const indices = memory_of<int>(nnz);
    double* const values = memory_of<double>(nnz);
    if (format == Format::csr) SPARSE(cusparseCsrSetPointers(matrix, offsets, indices, values));
    if (format == Format::csc) SPARSE(cusparseCscSetPointers(matrix, offsets, indices, values));
    if (format == Format::coo) SPARSE(cusparseCooSetPointers(matrix, lines, indices, values));
    SPARSE(cusparseDenseToSparse_convert(handle, matrix_a, matrix, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
    const int count = format == Format::coo ? nnz : (format == Format::csr ? 6 : 8);
    REQUIRE(download(format == Format::coo ? lines : offsets, count) == download(expected.first, count));
    REQUIRE(download(indices, nnz) == download(expected.indices, nnz));
    REQUIRE(download(values, nnz) == download(expected.elements, nnz));

    CHECK(cudaMemset(back, 0xff, 35 * sizeof(double)));
    SPARSE(cusparseSparseToDense_bufferSize(handle, matrix, matrix_back, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes));
    char* const second = memory_of<char>(bytes);
    SPARSE(cusparseSparseToDense(handle, matrix, matrix_back, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, second));
    REQUIRE(download(back, 35) == a.values);
    if (format == Format::coo) {
      SPARSE(cusparseXcoo2csr(handle, lines, nnz, 5, offsets, base));
      const OnDevice<double, int> rows_of(a, Format::csr, base);
      REQUIRE(download(offsets, 6) == download(rows_of.first, 6));
      CHECK(cudaMemset(lines, 0xff, nnz * sizeof(int)));
      SPARSE(cusparseXcsr2coo(handle, offsets, nnz, 5, lines, base));
      REQUIRE(download(lines, nnz) == download(expected.first, nnz));
    }
    SPARSE(cusparseDestroySpMat(matrix));
    release(offsets, lines, indices, values, buffer, second);
  }
  {
    const OnDevice<double, int> by_row(a, Format::csr, 0), by_column(a, Format::csc, 0);
    int *const offsets = memory_of<int>(8), *const rows = memory_of<int>(by_row.nnz);
    double* const values = memory_of<double>(by_row.nnz);
    std::size_t bytes = 0;
    SPARSE(cusparseCsr2cscEx2_bufferSize(handle, 5, 7, by_row.nnz, by_row.elements, by_row.first, by_row.indices,
                                         values, offsets, rows, CUDA_R_64F, CUSPARSE_ACTION_NUMERIC,
                                         CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG_DEFAULT, &bytes));
    char* const buffer = memory_of<char>(bytes);
    SPARSE(cusparseCsr2cscEx2(handle, 5, 7, by_row.nnz, by_row.elements, by_row.first, by_row.indices, values, offsets,
                              rows, CUDA_R_64F, CUSPARSE_ACTION_NUMERIC, CUSPARSE_INDEX_BASE_ZERO,
                              CUSPARSE_CSR2CSC_ALG_DEFAULT, buffer));
    REQUIRE(download(offsets, 8) == download(by_column.first, 8));
    REQUIRE(download(rows, by_row.nnz) == download(by_column.indices, by_row.nnz));
    REQUIRE(download(values, by_row.nnz) == download(by_column.elements, by_row.nnz));
    release(offsets, rows, values, buffer);
  }
  SPARSE(cusparseDestroyDnMat(matrix_a));
  SPARSE(cusparseDestroyDnMat(matrix_back));
  release(dense, back);
}

void verify_sparse_product(cusparseHandle_t handle) {
  const Dense<double> a = pattern<double>(5, 7), b = pattern<double>(7, 4);
  const OnDevice<double, int> left(a, Format::csr, 0), right(b, Format::csr, 0);
  int* const offsets = memory_of<int>(6);
  cusparseSpMatDescr_t c;
  SPARSE(cusparseCreateCsr(&c, 5, 4, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  cusparseSpGEMMDescr_t description;
  SPARSE(cusparseSpGEMM_createDescr(&description));
  const double alpha = 0.5, beta = 0;
  const auto none = CUSPARSE_OPERATION_NON_TRANSPOSE;
  std::size_t first_bytes = 0, second_bytes = 0;
  SPARSE(cusparseSpGEMM_workEstimation(handle, none, none, &alpha, left.description, right.description, &beta, c,
                                       CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, description, &first_bytes, nullptr));
  char* const first = memory_of<char>(first_bytes);
  SPARSE(cusparseSpGEMM_workEstimation(handle, none, none, &alpha, left.description, right.description, &beta, c,
                                       CUDA_R_64F, CUSPARSE_SPGEMM_DEFAULT, description, &first_bytes, first));
  SPARSE(cusparseSpGEMM_compute(handle, none, none, &alpha, left.description, right.description, &beta, c, CUDA_R_64F,
                                CUSPARSE_SPGEMM_DEFAULT, description, &second_bytes, nullptr));
  char* const second = memory_of<char>(second_bytes);
  SPARSE(cusparseSpGEMM_compute(handle, none, none, &alpha, left.description, right.description, &beta, c, CUDA_R_64F,
                                CUSPARSE_SPGEMM_DEFAULT, description, &second_bytes, second));
  int64_t rows = 0, columns = 0, nnz = 0;
  SPARSE(cusparseSpMatGetSize(c, &rows, &columns, &nnz));
  REQUIRE(rows == 5 && columns == 4 && nnz > 0);
  int* const indices = memory_of<int>(nnz);
  double* const values = memory_of<double>(nnz);
  SPARSE(cusparseCsrSetPointers(c, offsets, indices, values));
  SPARSE(cusparseSpGEMM_copy(handle, none, none, &alpha, left.description, right.description, &beta, c, CUDA_R_64F,
                             CUSPARSE_SPGEMM_DEFAULT, description));
  Dense<double> result{5, 4, std::vector<double>(20)}, expected = product(a, b);
  for (double& each : expected.values) each *= alpha;
  const auto host_offsets = download(offsets, 6), host_indices = download(indices, nnz);
  const auto host_values = download(values, nnz);
  for (int row = 0; row < 5; ++row) {
    for (int k = host_offsets[row]; k < host_offsets[row + 1]; ++k) result.at(row, host_indices[k]) += host_values[k];
  }
  REQUIRE(host_offsets[5] == nnz && same(result.values, expected.values));
  SPARSE(cusparseSpGEMM_destroyDescr(description));
  SPARSE(cusparseDestroySpMat(c));
  release(first, second, indices, values, offsets);
}

/// Of a tridiagonal matrix the incomplete factors are the factors.
void verify_factors(cusparseHandle_t handle) {
  Dense<double> a = banded(1);
  for (int i = 1; i < n; ++i) a.at(i, i - 1) = a.at(i - 1, i);
  cusparseMatDescr_t general;
  SPARSE(cusparseCreateMatDescr(&general));
  SPARSE(cusparseSetMatType(general, CUSPARSE_MATRIX_TYPE_GENERAL));
  SPARSE(cusparseSetMatIndexBase(general, CUSPARSE_INDEX_BASE_ZERO));
  for (const bool cholesky : {false, true}) {
    const OnDevice<double, int> matrix(a, Format::csr, 0);
    csrilu02Info_t lu;
    csric02Info_t ic;
    SPARSE(cusparseCreateCsrilu02Info(&lu));
    SPARSE(cusparseCreateCsric02Info(&ic));
    int bytes = 0, position = 0;
    const auto policy = CUSPARSE_SOLVE_POLICY_NO_LEVEL;
    if (cholesky) {
      SPARSE(cusparseDcsric02_bufferSize(handle, n, matrix.nnz, general, matrix.elements, matrix.first, matrix.indices,
                                         ic, &bytes));
    } else {
      SPARSE(cusparseDcsrilu02_bufferSize(handle, n, matrix.nnz, general, matrix.elements, matrix.first, matrix.indices,
                                          lu, &bytes));
    }
    char* const buffer = memory_of<char>(bytes);
    if (cholesky) {
      SPARSE(cusparseDcsric02_analysis(handle, n, matrix.nnz, general, matrix.elements, matrix.first, matrix.indices,
                                       ic, policy, buffer));
      SPARSE(cusparseXcsric02_zeroPivot(handle, ic, &position));
      SPARSE(cusparseDcsric02(handle, n, matrix.nnz, general, matrix.elements, matrix.first, matrix.indices, ic, policy,
                              buffer));
    } else {
      SPARSE(cusparseDcsrilu02_analysis(handle, n, matrix.nnz, general, matrix.elements, matrix.first, matrix.indices,
                                        lu, policy, buffer));
      SPARSE(cusparseXcsrilu02_zeroPivot(handle, lu, &position));
      SPARSE(cusparseDcsrilu02(handle, n, matrix.nnz, general, matrix.elements, matrix.first, matrix.indices, lu,
                               policy, buffer));
    }
    REQUIRE(position == -1);
    const auto offsets = download(matrix.first, n + 1), columns = download(matrix.indices, matrix.nnz);
    const auto values = download(matrix.elements, matrix.nnz);
    Dense<double> lower{n, n, std::vector<double>(n * n)}, upper = lower;
    for (int row = 0; row < n; ++row) {
      if (!cholesky) lower.at(row, row) = 1;
      for (int k = offsets[row]; k < offsets[row + 1]; ++k) {
        const int column = columns[k];
        if (cholesky && column <= row) lower.at(row, column) = upper.at(column, row) = values[k];
        if (!cholesky) (column < row ? lower : upper).at(row, column) = values[k];
        if (cholesky && column > row) REQUIRE(values[k] == a.at(row, column));
      }
    }
    REQUIRE(same(product(lower, upper).values, a.values));
    SPARSE(cusparseDestroyCsrilu02Info(lu));
    SPARSE(cusparseDestroyCsric02Info(ic));
    release(buffer);
  }
  {  // a 0 in the fourth place of the diagonal
    Dense<double> gap{n, n, std::vector<double>(n * n)};
    for (int i = 0; i < n; ++i) gap.at(i, i) = i == 3 ? 0 : 1;
    const OnDevice<double, int> matrix(gap, Format::csr, 0);
    csrilu02Info_t lu;
    SPARSE(cusparseCreateCsrilu02Info(&lu));
    int bytes = 0, position = 0;
    SPARSE(cusparseDcsrilu02_bufferSize(handle, n, matrix.nnz, general, matrix.elements, matrix.first, matrix.indices,
                                        lu, &bytes));
    char* const buffer = memory_of<char>(bytes);
    SPARSE(cusparseDcsrilu02_analysis(handle, n, matrix.nnz, general, matrix.elements, matrix.first, matrix.indices, lu,
                                      CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer));
    REQUIRE(cusparseXcsrilu02_zeroPivot(handle, lu, &position) == CUSPARSE_STATUS_ZERO_PIVOT && position == 3);
    SPARSE(cusparseDestroyCsrilu02Info(lu));
    release(buffer);
  }
  SPARSE(cusparseDestroyMatDescr(general));
}

/// A product that a stream captures runs each time that its graph is launched.
void verify_capture(cusparseHandle_t handle) {
  const Dense<double> a = banded(2);
  const OnDevice<double, int> matrix(a, Format::csr, 0);
  std::vector<double> x = numbers<double>(n);
  double *const device_x = upload(x), *const device_y = memory_of<double>(n);
  cusparseDnVecDescr_t vector_x, vector_y;
  SPARSE(cusparseCreateDnVec(&vector_x, n, device_x, CUDA_R_64F));
  SPARSE(cusparseCreateDnVec(&vector_y, n, device_y, CUDA_R_64F));
  const double zero = 0;
  const auto op = CUSPARSE_OPERATION_NON_TRANSPOSE;
  std::size_t bytes = 0;
  SPARSE(cusparseSpMV_bufferSize(handle, op, &one, matrix.description, vector_x, &zero, vector_y, CUDA_R_64F,
                                 CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  char* const buffer = memory_of<char>(bytes);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  SPARSE(cusparseSetStream(handle, stream));
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SPARSE(cusparseSpMV(handle, op, &one, matrix.description, vector_x, &zero, vector_y, CUDA_R_64F,
                      CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  CHECK(cudaMemcpyAsync(device_x, device_y, n * sizeof(double), cudaMemcpyDeviceToDevice, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&instance, graph, 0));
  for (int i = 0; i < 3; ++i) {
    CHECK(cudaGraphLaunch(instance, stream));
    x = product(a, {n, 1, x}).values;
  }
  CHECK(cudaStreamSynchronize(stream));
  const std::vector<double> result = download(device_y, n);
  for (int i = 0; i < n; ++i) REQUIRE(std::fabs(result[i] - x[i]) <= 1e-12 * std::fabs(x[i]));
  CHECK(cudaGraphExecDestroy(instance));
  CHECK(cudaGraphDestroy(graph));
  SPARSE(cusparseSetStream(handle, nullptr));
  CHECK(cudaStreamDestroy(stream));
  SPARSE(cusparseDestroyDnVec(vector_x));
  SPARSE(cusparseDestroyDnVec(vector_y));
  release(device_x, device_y, buffer);
}

int main() {
  cusparseHandle_t handle;
  SPARSE(cusparseCreate(&handle));
  verify_triangles(handle);
  verify_conversions(handle);
  verify_sparse_product(handle);
  verify_factors(handle);
  verify_capture(handle);
  SPARSE(cusparseDestroy(handle));
  return passed();
}
