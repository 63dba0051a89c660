// SPDX-License-Identifier: MIT
// Graphs that change after they are instantiated: parameters of nodes, nodes that are off, and whole graphs that take
// the place of others. A solver alternates two buffers this way.
#include <cmath>
#include <vector>

#include "verify.h"

constexpr int n = 1 << 10;

__global__ void scale(int* x, int factor) { x[blockIdx.x * blockDim.x + threadIdx.x] *= factor; }
__global__ void shift(int* x, int by) { x[blockIdx.x * blockDim.x + threadIdx.x] += by; }

/// A step of Jacobi's method for x'' = 0 with fixed ends.
__global__ void relax(const float* old, float* now, float* change) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool inner = i > 0 && i < n - 1;
  now[i] = inner ? 0.5f * (old[i - 1] + old[i + 1]) : old[i];
  if (inner) atomicAdd(change, fabsf(now[i] - old[i]));
}

cudaKernelNodeParams kernel_of(void* function, void** arguments) {
  cudaKernelNodeParams kernel{};
  kernel.func = function;
  kernel.gridDim = n / 256;
  kernel.blockDim = 256;
  kernel.kernelParams = arguments;
  return kernel;
}

int first_after(cudaGraphExec_t exec, int* x) {
  std::vector<int> host(n, 1);
  CHECK(cudaMemcpy(x, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaMemcpy(host.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (const int value : host) REQUIRE(value == host[0]);
  return host[0];
}

void parameters_of_nodes() {
  int *x, factor = 5, by = 2;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  void* of_scale[] = {&x, &factor};
  void* of_shift[] = {&x, &by};
  cudaKernelNodeParams scaling = kernel_of((void*)scale, of_scale), shifting = kernel_of((void*)shift, of_shift);
  cudaGraphNode_t scaled, shifted;
  CHECK(cudaGraphAddKernelNode(&scaled, graph, nullptr, 0, &scaling));
  CHECK(cudaGraphAddKernelNode(&shifted, graph, &scaled, 1, &shifting));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  REQUIRE(first_after(exec, x) == 7);
  factor = 11;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, scaled, &scaling));
  REQUIRE(first_after(exec, x) == 13);
  unsigned enabled = 1;
  CHECK(cudaGraphNodeSetEnabled(exec, shifted, 0));
  CHECK(cudaGraphNodeGetEnabled(exec, shifted, &enabled));
  REQUIRE(enabled == 0 && first_after(exec, x) == 11);
  CHECK(cudaGraphNodeSetEnabled(exec, shifted, 1));
  by = 100;
  CHECK(cudaGraphKernelNodeSetParams(shifted, &shifting));  // of the graph, not of the instance
  REQUIRE(first_after(exec, x) == 13);
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(exec, graph, &info));
  REQUIRE(info.result == cudaGraphExecUpdateSuccess && first_after(exec, x) == 105);
  cudaGraphNode_t more;
  CHECK(cudaGraphAddKernelNode(&more, graph, &shifted, 1, &scaling));
  REQUIRE(cudaGraphExecUpdate(exec, graph, &info) == cudaErrorGraphExecUpdateFailure);
  REQUIRE(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  cudaGetLastError();
  REQUIRE(first_after(exec, x) == 105);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(x));
}

/// Each round captures again, and updates the instance: it is made again only if that fails.
void captured_again() {
  int* x;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaGraphExec_t exec = nullptr;
  int made = 0;
  for (int round = 0; round < 6; ++round) {
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemsetAsync(x, 0, n * sizeof(int), stream));
    shift<<<n / 256, 256, 0, stream>>>(x, round);
    if (round >= 4) scale<<<n / 256, 256, 0, stream>>>(x, 10);
    cudaGraph_t graph;
    CHECK(cudaStreamEndCapture(stream, &graph));
    cudaGraphExecUpdateResultInfo info;
    if (exec != nullptr && cudaGraphExecUpdate(exec, graph, &info) != cudaSuccess) {
      cudaGetLastError();
      CHECK(cudaGraphExecDestroy(exec));
      exec = nullptr;
    }
    if (exec == nullptr) {
      CHECK(cudaGraphInstantiate(&exec, graph, 0));
      ++made;
    }
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphLaunch(exec, stream));
    std::vector<int> host(n);
    CHECK(cudaMemcpyAsync(host.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (const int value : host) REQUIRE(value == (round >= 4 ? 10 * round : round));
  }
  REQUIRE(made == 2);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(x));
}

/// A captured kernel whose argument is changed by what the graph tells of it.
void parameters_of_a_captured_kernel() {
  int* x;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  shift<<<n / 256, 256, 0, stream>>>(x, 1);
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  cudaGraphNode_t node;
  size_t count = 1;
  CHECK(cudaGraphGetNodes(graph, &node, &count));
  cudaKernelNodeParams kernel;
  CHECK(cudaGraphKernelNodeGetParams(node, &kernel));
  int by = 30;
  void* arguments[] = {kernel.kernelParams[0], &by};
  kernel.kernelParams = arguments;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, node, &kernel));
  REQUIRE(first_after(exec, x) == 31);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(x));
}

void solver() {
  float *a, *b, *change, host_change = 1;
  for (float** x : {&a, &b}) CHECK(cudaMalloc(x, n * sizeof(float)));
  CHECK(cudaMalloc(&change, sizeof(float)));
  std::vector<float> start(n, 0);
  start[n - 1] = 1;
  for (float* x : {a, b}) CHECK(cudaMemcpy(x, start.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams fill{};
  fill.dst = change;
  fill.elementSize = sizeof(float);
  fill.width = 1;
  fill.height = 1;
  cudaGraphNode_t cleared, relaxed, back;
  CHECK(cudaGraphAddMemsetNode(&cleared, graph, nullptr, 0, &fill));
  void* forth[] = {&a, &b, &change};
  void* and_back[] = {&b, &a, &change};
  cudaKernelNodeParams even = kernel_of((void*)relax, forth), odd = kernel_of((void*)relax, and_back);
  CHECK(cudaGraphAddKernelNode(&relaxed, graph, &cleared, 1, &even));
  CHECK(
      cudaGraphAddMemcpyNode1D(&back, graph, &relaxed, 1, &host_change, change, sizeof(float), cudaMemcpyDeviceToHost));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  std::vector<float> old = start, now = start, host(n);
  for (int step = 0; step < 20; ++step) {
    CHECK(cudaGraphExecKernelNodeSetParams(exec, relaxed, step % 2 == 0 ? &even : &odd));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    float expected = 0;
    for (int i = 1; i < n - 1; ++i) {
      now[i] = 0.5f * (old[i - 1] + old[i + 1]);
      expected += std::fabs(now[i] - old[i]);
    }
    old = now;
    REQUIRE(std::fabs(host_change - expected) < 1e-4f);
    CHECK(cudaMemcpy(host.data(), step % 2 == 0 ? b : a, n * sizeof(float), cudaMemcpyDeviceToHost));
    REQUIRE(host == now);
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  for (float* x : {a, b, change}) CHECK(cudaFree(x));
}

int main() {
  parameters_of_nodes();
  captured_again();
  parameters_of_a_captured_kernel();
  solver();
  return passed();
}
