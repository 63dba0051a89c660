// Products of cuBLASLt: with a bias and an activation, in float and in half, in both orders, and in a batch.
#include <cublasLt.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "verify.h"

static void require(cublasStatus_t status, const char* what) { verify(status == CUBLAS_STATUS_SUCCESS, what); }

template <class T>
T* on_device(const std::vector<T>& values) {
  T* memory;
  CHECK(cudaMalloc(&memory, values.size() * sizeof(T)));
  CHECK(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

template <class T>
std::vector<T> on_host(const T* memory, std::size_t count) {
  std::vector<T> values(count);
  CHECK(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

static float gelu(float x) { return 0.5F * x * (1 + std::tanh(0.79788456F * (x + 0.044715F * x * x * x))); }

int main() {
  cublasLtHandle_t handle;
  require(cublasLtCreate(&handle), "a handle");
  // 2 × 3 times 3 × 2, by columns: {{1, 2, 3}, {4, 5, 6}} × {{1, -1}, {0, 2}, {1, -4}} = {{4, -9}, {10, -18}}
  float *a = on_device<float>({1, 4, 2, 5, 3, 6}), *b = on_device<float>({1, 0, 1, -1, 2, -4});
  float *d = on_device<float>({0, 0, 0, 0}), *bias = on_device<float>({1, -12});
  cublasLtMatmulDesc_t product;
  require(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F), "a product");
  cublasLtMatrixLayout_t la, lb, ld;
  require(cublasLtMatrixLayoutCreate(&la, CUDA_R_32F, 2, 3, 2), "a layout");
  require(cublasLtMatrixLayoutCreate(&lb, CUDA_R_32F, 3, 2, 3), "a layout");
  require(cublasLtMatrixLayoutCreate(&ld, CUDA_R_32F, 2, 2, 2), "a layout");
  cublasLtMatmulPreference_t preference;
  require(cublasLtMatmulPreferenceCreate(&preference), "a preference");
  const std::size_t workspace = 1 << 20;
  require(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
                                               sizeof workspace),
          "a workspace");
  cublasLtMatmulHeuristicResult_t best;
  int found = 0;
  require(cublasLtMatmulAlgoGetHeuristic(handle, product, la, lb, ld, ld, preference, 1, &best, &found),
          "an algorithm");
  verify(found == 1, "there is an algorithm");
  const float one = 1, zero = 0;
  const auto multiply = [&] {
    require(cublasLtMatmul(handle, product, &one, a, la, b, lb, &zero, d, ld, d, ld, &best.algo, nullptr, 0, nullptr),
            "a product");
    return on_host(d, 4);
  };
  verify(multiply() == std::vector<float>({4, 10, -9, -18}), "the product");

  const auto finish_with = [&](cublasLtEpilogue_t epilogue) {
    require(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue),
            "an epilogue");
  };
  require(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias), "a bias");
  finish_with(CUBLASLT_EPILOGUE_RELU_BIAS);
  verify(multiply() == std::vector<float>({5, 0, 0, 0}), "a product with bias and ReLU");
  finish_with(CUBLASLT_EPILOGUE_BIAS);
  verify(multiply() == std::vector<float>({5, -2, -8, -30}), "a product with bias");
  finish_with(CUBLASLT_EPILOGUE_GELU_BIAS);
  const std::vector<float> activated = multiply();
  verify(std::abs(activated[0] - gelu(5)) < 1e-3F && std::abs(activated[1] - gelu(-2)) < 1e-3F, "GELU");
  finish_with(CUBLASLT_EPILOGUE_DEFAULT);

  // The transpose of a: 3 × 2 by rows is the same memory as 2 × 3 by columns.
  const cublasOperation_t transposed = CUBLAS_OP_T;
  const cublasLtOrder_t by_rows = CUBLASLT_ORDER_ROW;
  cublasLtMatrixLayout_t lt;
  require(cublasLtMatrixLayoutCreate(&lt, CUDA_R_32F, 3, 2, 2), "a layout");
  require(cublasLtMatrixLayoutSetAttribute(lt, CUBLASLT_MATRIX_LAYOUT_ORDER, &by_rows, sizeof by_rows), "an order");
  require(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed),
          "a transpose");
  require(cublasLtMatmul(handle, product, &one, a, lt, b, lb, &zero, d, ld, d, ld, nullptr, nullptr, 0, nullptr),
          "a product by rows");
  verify(on_host(d, 4) == std::vector<float>({4, 10, -9, -18}), "the product by rows");
  require(cublasLtMatmulDescDestroy(product), "the end");

  // Two products of 1 × 2 and 2 × 1 in half, of which the second begins two elements later.
  half *h = on_device<half>({half(1.0F), half(2.0F), half(3.0F), half(4.0F)}),
       *sums = on_device<half>({half(), half()});
  require(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F), "a product");
  cublasLtMatrixLayout_t row, column, sum;
  require(cublasLtMatrixLayoutCreate(&row, CUDA_R_16F, 1, 2, 1), "a layout");
  require(cublasLtMatrixLayoutCreate(&column, CUDA_R_16F, 2, 1, 2), "a layout");
  require(cublasLtMatrixLayoutCreate(&sum, CUDA_R_16F, 1, 1, 1), "a layout");
  for (cublasLtMatrixLayout_t one_of : {row, column, sum}) {
    const int count = 2;
    const std::int64_t stride = one_of == sum ? 1 : 2;
    require(cublasLtMatrixLayoutSetAttribute(one_of, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count),
            "a batch");
    require(
        cublasLtMatrixLayoutSetAttribute(one_of, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride),
        "a batch");
  }
  require(cublasLtMatmul(handle, product, &one, h, row, h, column, &zero, sums, sum, sums, sum, nullptr, nullptr, 0,
                         nullptr),
          "a batch of products");
  const std::vector<half> both = on_host(sums, 2);
  verify(__half2float(both[0]) == 5 && __half2float(both[1]) == 25, "the products of a batch");
  for (cublasLtMatrixLayout_t one_of : {la, lb, ld, lt, row, column, sum}) cublasLtMatrixLayoutDestroy(one_of);
  require(cublasLtMatmulPreferenceDestroy(preference), "the end");
  require(cublasLtDestroy(handle), "the end");
  return passed();
}
