// SPDX-License-Identifier: MIT
// Work of cuBLAS and CUB in a capture, and a cooperative launch.
#include <cooperative_groups.h>
#include <cublas_v2.h>

#include <cub/cub.cuh>
#include <vector>

#include "verify.h"

constexpr int n = 16;

/// All blocks add 1, meet, and check that all have.
__global__ void meet(int* arrived, int* right) {
  if (threadIdx.x == 0) atomicAdd(arrived, 1);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0 && atomicAdd(arrived, 0) == static_cast<int>(gridDim.x)) atomicAdd(right, 1);
}

int main() {
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = static_cast<float>(i % 5), b[i] = static_cast<float>(i % 3);
  float *da, *db, *dc, *total;
  for (float** x : {&da, &db, &dc}) CHECK(cudaMalloc(x, n * n * sizeof(float)));
  CHECK(cudaMalloc(&total, sizeof(float)));
  int* counters;
  CHECK(cudaMalloc(&counters, 2 * sizeof(int)));
  CHECK(cudaMemcpy(db, b.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cublasHandle_t handle;
  REQUIRE(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS);
  void *workspace, *scratch = nullptr;
  constexpr size_t workspace_bytes = size_t{4} << 20;
  CHECK(cudaMalloc(&workspace, workspace_bytes));
  REQUIRE(cublasSetWorkspace(handle, workspace, workspace_bytes) == CUBLAS_STATUS_SUCCESS);
  size_t scratch_bytes = 0;
  CHECK(cub::DeviceReduce::Sum(scratch, scratch_bytes, dc, total, n * n, stream));
  CHECK(cudaMalloc(&scratch, scratch_bytes));

  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(da, a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice, stream));
  const float one = 1, zero = 0;
  REQUIRE(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, da, n, db, n, &zero, dc, n) ==
          CUBLAS_STATUS_SUCCESS);
  CHECK(cub::DeviceReduce::Sum(scratch, scratch_bytes, dc, total, n * n, stream));
  CHECK(cudaMemsetAsync(counters, 0, 2 * sizeof(int), stream));
  int* right = counters + 1;
  void* arguments[] = {&counters, &right};
  CHECK(cudaLaunchCooperativeKernel((void*)meet, dim3(4), dim3(32), arguments, 0, stream));
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));

  for (int round = 1; round <= 3; ++round) {
    for (int i = 0; i < n * n; ++i) a[i] = static_cast<float>((i * round) % 5);
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaMemcpyAsync(c.data(), dc, n * n * sizeof(float), cudaMemcpyDeviceToHost, stream));
    float sum = 0;
    int met[2] = {};
    CHECK(cudaMemcpyAsync(&sum, total, sizeof sum, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaMemcpyAsync(met, counters, sizeof met, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    float expected_sum = 0;
    for (int column = 0; column < n; ++column) {
      for (int row = 0; row < n; ++row) {
        float expected = 0;
        for (int k = 0; k < n; ++k) expected += a[k * n + row] * b[column * n + k];
        REQUIRE(c[column * n + row] == expected);
        expected_sum += expected;
      }
    }
    REQUIRE(sum == expected_sum && met[0] == 4 && met[1] == 4);
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  REQUIRE(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  for (float* x : {da, db, dc, total}) CHECK(cudaFree(x));
  CHECK(cudaFree(counters));
  CHECK(cudaFree(scratch));
  CHECK(cudaFree(workspace));
  CHECK(cudaStreamDestroy(stream));
  return passed();
}
