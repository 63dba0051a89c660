// SPDX-License-Identifier: MIT
// cuBLASLt: products with a bias and an activation. There is one algorithm, which widens the matrices.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "cublasLt.h"
#include "libraries/cublas_handle.h"
#include "libraries/matrix_elements.h"

using namespace d2l::emulator;

namespace {

using LtLayout = cublasLtMatrixLayoutOpaque_t;
using LtProduct = cublasLtMatmulDescOpaque_t;

constexpr unsigned lt_relu = CUBLASLT_EPILOGUE_RELU, lt_bias = CUBLASLT_EPILOGUE_BIAS, lt_gelu = CUBLASLT_EPILOGUE_GELU;
constexpr unsigned lt_gelu_aux = CUBLASLT_EPILOGUE_GELU_AUX, lt_gelu_gradient = CUBLASLT_EPILOGUE_DGELU;

/// A matrix in memory of the device.
struct LtMatrix {
  void* memory;
  LtLayout layout;

  /// The place of an element of the matrix with this number of a batch.
  [[nodiscard]] std::ptrdiff_t place(std::int64_t row, std::int64_t column, int number) const {
    const bool by_column = layout.order == CUBLASLT_ORDER_COL;
    return number * layout.stride + (by_column ? row + column * layout.leading : column + row * layout.leading);
  }
  [[nodiscard]] double get(std::int64_t row, std::int64_t column, int number) const {
    return read(contents_of(memory), layout.type, place(row, column, number));
  }
  void set(std::int64_t row, std::int64_t column, int number, double value) const {
    write(contents_of(memory), layout.type, place(row, column, number), value);
  }
};

/// rows × columns elements, column by column.
template <class T>
std::vector<T> lt_elements(const LtMatrix& from, std::int64_t rows, std::int64_t columns, int operation, int number) {
  std::vector<T> result;
  result.reserve(static_cast<std::size_t>(rows * columns));
  for (std::int64_t column = 0; column < columns; ++column) {
    for (std::int64_t row = 0; row < rows; ++row) {
      const double value = operation == CUBLAS_OP_N ? from.get(row, column, number) : from.get(column, row, number);
      result.push_back(static_cast<T>(value));
    }
  }
  return result;
}

double tanh_of_gelu(double x) { return std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)); }
double gelu_of(double x) { return 0.5 * x * (1 + tanh_of_gelu(x)); }
double gelu_slope(double x) {
  const double t = tanh_of_gelu(x);
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * 0.7978845608028654 * (1 + 3 * 0.044715 * x * x);
}

struct LtWork {
  LtProduct product;
  LtMatrix a, b, c, d;
  double alpha, beta;
  std::int64_t m, n, k;

  [[nodiscard]] double finished(double value, std::int64_t row, std::int64_t column, int number) const {
    const unsigned epilogue = product.epilogue;
    if ((epilogue & lt_bias) != 0) {
      value += read(contents_of(product.bias), static_cast<cudaDataType>(product.bias_type),
                    row + number * product.bias_stride);
    }
    const LtMatrix aux{product.aux,
                       {static_cast<cudaDataType>(product.aux_type), CUBLASLT_ORDER_COL, 1, 0, 0, product.aux_leading,
                        product.aux_stride}};
    if ((epilogue & lt_gelu_aux) == lt_gelu_aux) aux.set(row, column, number, value);
    if ((epilogue & lt_gelu_gradient) == lt_gelu_gradient) return value * gelu_slope(aux.get(row, column, number));
    if ((epilogue & lt_gelu) != 0) return gelu_of(value);
    return (epilogue & lt_relu) != 0 ? std::max(value, 0.0) : value;
  }

  void run() const {
    for (int number = 0; number < std::max(1, d.layout.count); ++number) {
      product.compute == CUBLAS_COMPUTE_64F ? multiply<double>(number, cblas_dgemm)
                                            : multiply<float>(number, cblas_sgemm);
    }
  }
  template <class T, class Gemm>
  void multiply(int number, Gemm gemm) const {
    const auto left = lt_elements<T>(a, m, k, product.operation_a, number);
    const auto right = lt_elements<T>(b, k, n, product.operation_b, number);
    std::vector<T> result(static_cast<std::size_t>(m * n));
    if (beta != 0) result = lt_elements<T>(c, m, n, CUBLAS_OP_N, number);
    const auto size = [](std::int64_t length) { return static_cast<int>(std::max<std::int64_t>(1, length)); };
    gemm(CblasColMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(m), static_cast<int>(n), static_cast<int>(k),
         static_cast<T>(alpha), left.data(), size(m), right.data(), size(k), static_cast<T>(beta), result.data(),
         size(m));
    for (std::int64_t column = 0; column < n; ++column) {
      for (std::int64_t row = 0; row < m; ++row) {
        const auto value = static_cast<double>(result[static_cast<std::size_t>(row + column * m)]);
        d.set(row, column, number, finished(value, row, column, number));
      }
    }
  }
};

cublasStatus_t refuse_product(const std::string& what) {
  fmt::print(stderr, "cublasLtMatmul: {} is not supported by the emulator\n", what);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t check_product(const LtProduct* product, const LtLayout* a, const LtLayout* b, const LtLayout* c,
                             const LtLayout* d) {
  for (const LtLayout* one : {a, b, c, d}) {
    if (product == nullptr || one == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    if (!known(one->type)) return refuse_product(fmt::format("the type {} of a matrix", static_cast<int>(one->type)));
    if (one->order != CUBLASLT_ORDER_COL && one->order != CUBLASLT_ORDER_ROW) {
      return refuse_product(fmt::format("the order {} of a matrix", one->order));
    }
  }
  constexpr std::array supported{
      CUBLASLT_EPILOGUE_DEFAULT,   CUBLASLT_EPILOGUE_RELU,          CUBLASLT_EPILOGUE_BIAS,
      CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU,          CUBLASLT_EPILOGUE_GELU_AUX,
      CUBLASLT_EPILOGUE_GELU_BIAS, CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_DGELU};
  if (std::ranges::find(supported, product->epilogue) == supported.end()) {
    return refuse_product(fmt::format("the epilogue {}", product->epilogue));
  }
  const auto shape = [](const LtLayout* one, int operation) {
    return operation == CUBLAS_OP_N ? std::pair{one->rows, one->columns} : std::pair{one->columns, one->rows};
  };
  const auto [m, k] = shape(a, product->operation_a);
  const auto [inner, n] = shape(b, product->operation_b);
  const bool fits = k == inner && d->rows == m && d->columns == n && c->rows == m && c->columns == n;
  const bool transposes_c = product->operation_c != CUBLAS_OP_N;
  return fits && !transposes_c ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

/// Copies the value of an attribute.
template <class T>
cublasStatus_t set_attribute(T& attribute, const void* value, size_t bytes) {
  if (value == nullptr || bytes != sizeof(T)) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&attribute, value, sizeof(T));
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  cublasHandle_t made = nullptr;
  const cublasStatus_t status = cublasCreate(&made);
  *handle = reinterpret_cast<cublasLtHandle_t>(made);  // a handle of cuBLAS is one of cuBLASLt, too
  return status;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return cublasDestroy(reinterpret_cast<cublasHandle_t>(handle));
}
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
const char* cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char* cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }

cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type, std::uint64_t rows,
                                        std::uint64_t columns, std::int64_t leading) {
  *layout = {type, CUBLASLT_ORDER_COL, 1, rows, columns, leading, 0};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, std::uint64_t rows,
                                          std::uint64_t columns, std::int64_t leading) {
  *layout = new LtLayout;
  return cublasLtMatrixLayoutInit(*layout, type, rows, columns, leading);
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t name,
                                                const void* value, size_t bytes) {
  switch (name) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE:
      return set_attribute(layout->type, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_ORDER:
      return set_attribute(layout->order, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_ROWS:
      return set_attribute(layout->rows, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_COLS:
      return set_attribute(layout->columns, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_LD:
      return set_attribute(layout->leading, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
      return set_attribute(layout->count, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
      return set_attribute(layout->stride, value, bytes);
  }
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t product, cublasComputeType_t compute, cudaDataType scale) {
  *product = {};
  product->compute = compute;
  product->scale = scale;
  product->bias_type = product->aux_type = -1;
  product->epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* product, cublasComputeType_t compute,
                                        cudaDataType scale) {
  *product = new LtProduct;
  return cublasLtMatmulDescInit(*product, compute, scale);
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t product) {
  delete product;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t product, cublasLtMatmulDescAttributes_t name,
                                              const void* value, size_t bytes) {
  switch (name) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
      return set_attribute(product->compute, value, bytes);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
      return set_attribute(product->scale, value, bytes);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE:
      return set_attribute(product->mode, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return set_attribute(product->operation_a, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return set_attribute(product->operation_b, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSC:
      return set_attribute(product->operation_c, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return set_attribute(product->epilogue, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return set_attribute(product->bias, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE:
      return set_attribute(product->bias_stride, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
      return set_attribute(product->aux, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
      return set_attribute(product->aux_leading, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE:
      return set_attribute(product->aux_stride, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE:
      return set_attribute(product->aux_type, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
      return set_attribute(product->bias_type, value, bytes);
  }
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  *preference = new cublasLtMatmulPreferenceOpaque_t{};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete preference;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t /*preference*/,
                                                    cublasLtMatmulPreferenceAttributes_t /*name*/, const void* value,
                                                    size_t bytes) {
  return value != nullptr && (bytes == 4 || bytes == 8) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t /*preference*/, int wanted,
                                              cublasLtMatmulHeuristicResult_t* results, int* found) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (found == nullptr || results == nullptr || wanted < 1) return CUBLAS_STATUS_INVALID_VALUE;
  *found = 0;
  const cublasStatus_t status = check_product(product, a, b, c, d);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  *found = 1;
  results[0] = {{}, 0, CUBLAS_STATUS_SUCCESS, 1, {}};
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t product, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t b_layout,
                              const void* beta, const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t* /*algorithm*/,
                              void* /*workspace*/, size_t /*workspace_bytes*/, cudaStream_t stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const cublasStatus_t status = check_product(product, a_layout, b_layout, c_layout, d_layout);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const bool on_host = product->mode == CUBLASLT_POINTER_MODE_HOST;
  const auto scalar = [scale = product->scale](const void* from) {
    return from == nullptr ? 0 : read(contents_of(from), scale, 0);
  };
  const std::uint64_t k = product->operation_a == CUBLAS_OP_N ? a_layout->columns : a_layout->rows;
  LtWork work{*product,
              {const_cast<void*>(a), *a_layout},
              {const_cast<void*>(b), *b_layout},
              {const_cast<void*>(c), *c_layout},
              {d, *d_layout},
              on_host ? scalar(alpha) : 0,
              on_host ? scalar(beta) : 0,
              static_cast<std::int64_t>(d_layout->rows),
              static_cast<std::int64_t>(d_layout->columns),
              static_cast<std::int64_t>(k)};
  for (int* const type : {&work.product.bias_type, &work.product.aux_type}) {
    if (*type < 0) *type = d_layout->type;
  }
  const cudaError_t error = device_call([&] {
    stream_of(stream)->push([work, on_host, scalar, alpha, beta]() mutable {
      if (!on_host) work.alpha = scalar(alpha), work.beta = scalar(beta);
      work.run();
    });
  });
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}
