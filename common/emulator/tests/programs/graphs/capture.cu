// SPDX-License-Identifier: MIT
// Stream capture: branches of two streams, copies, fills, functions of the host, memory, variables, and all forms of a
// launch. The graph is launched several times.
#include <vector>

#include "verify.h"

constexpr int n = 1 << 12;
__device__ float offset;

__global__ void scale(const float* in, float* out, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * factor;
}
__global__ void add(const float* a, const float* b, float* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] = a[i] + b[i] + offset;
}
__global__ void increment(float* x) { x[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

void CUDART_CB count(void* data) { ++*static_cast<int*>(data); }

struct Buffers {
  float *in, *doubled, *tripled, *sum, *host_in, *host_sum;
  int launches = 0;
};

/// in -> doubled on one branch, in -> tripled on another, then their sum.
cudaGraph_t capture(Buffers& b, cudaStream_t first, cudaStream_t second, cudaStreamCaptureMode mode) {
  cudaEvent_t fork, join;
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  CHECK(cudaStreamBeginCapture(first, mode));
  CHECK(cudaMemcpyAsync(b.in, b.host_in, n * sizeof(float), cudaMemcpyHostToDevice, first));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  cudaStreamCaptureStatus status;
  unsigned long long id_of_first, id_of_second;
  CHECK(cudaStreamGetCaptureInfo(second, &status, &id_of_second));
  REQUIRE(status == cudaStreamCaptureStatusActive);
  CHECK(cudaStreamGetCaptureInfo(first, &status, &id_of_first));
  REQUIRE(id_of_first == id_of_second);
  float factor = 2;
  scale<<<n / 256, 256, 0, first>>>(b.in, b.doubled, factor);
  factor = 3;
  const float* in = b.in;
  float* tripled = b.tripled;
  void* arguments[] = {&in, &tripled, &factor};
  CHECK(cudaLaunchKernel((void*)scale, dim3(n / 256), dim3(256), arguments, 0, second));
  factor = 0;  // the graph has copies of the arguments
  CHECK(cudaMemsetAsync(b.sum, 0, n * sizeof(float), second));
  CHECK(cudaEventRecord(join, second));
  CHECK(cudaStreamWaitEvent(first, join, 0));
  cudaLaunchConfig_t config{};
  config.gridDim = n / 256;
  config.blockDim = 256;
  config.stream = first;
  const float* doubled = b.doubled;
  const float* other = b.tripled;
  CHECK(cudaLaunchKernelEx(&config, add, doubled, other, b.sum));
  CHECK(cudaMemcpyAsync(b.host_sum, b.sum, n * sizeof(float), cudaMemcpyDeviceToHost, first));
  CHECK(cudaLaunchHostFunc(first, count, &b.launches));
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(first, &graph));
  CHECK(cudaStreamIsCapturing(second, &status));
  REQUIRE(status == cudaStreamCaptureStatusNone);
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(join));
  return graph;
}

void launches_of_a_captured_graph(cudaStreamCaptureMode mode) {
  cudaStream_t first, second;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  Buffers b{};
  for (float** x : {&b.in, &b.doubled, &b.tripled, &b.sum}) CHECK(cudaMalloc(x, n * sizeof(float)));
  for (float** x : {&b.host_in, &b.host_sum}) CHECK(cudaMallocHost(x, n * sizeof(float)));
  const cudaGraph_t graph = capture(b, first, second, mode);
  size_t nodes = 0, edges = 0, roots = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  REQUIRE(nodes == 7 && roots == 1 && edges == 7);
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphUpload(exec, first));
  REQUIRE(b.launches == 0);
  for (int round = 1; round <= 5; ++round) {
    const float shift = static_cast<float>(round);
    CHECK(cudaMemcpyToSymbol(offset, &shift, sizeof shift));
    for (int i = 0; i < n; ++i) b.host_in[i] = static_cast<float>(i % 100 + round);
    CHECK(cudaGraphLaunch(exec, round % 2 == 0 ? first : second));
    CHECK(cudaStreamSynchronize(round % 2 == 0 ? first : second));
    REQUIRE(b.launches == round);
    for (int i = 0; i < n; ++i) REQUIRE(b.host_sum[i] == 5 * b.host_in[i] + shift);
  }
  CHECK(cudaGraphExecDestroy(exec));
  for (float* x : {b.in, b.doubled, b.tripled, b.sum}) CHECK(cudaFree(x));
  for (float* x : {b.host_in, b.host_sum}) CHECK(cudaFreeHost(x));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

void order_with_other_work() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  float* x;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < 3; ++i) increment<<<n / 256, 256, 0, stream>>>(x);
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
  CHECK(cudaMemsetAsync(x, 0, n * sizeof(float), stream));
  for (int i = 0; i < 10; ++i) {
    CHECK(cudaGraphLaunch(exec, stream));
    increment<<<n / 256, 256, 0, stream>>>(x);
  }
  std::vector<float> host(n);
  CHECK(cudaMemcpyAsync(host.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (const float value : host) REQUIRE(value == 40);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(x));
  CHECK(cudaStreamDestroy(stream));
}

/// A graph that is launched while a stream captures becomes a node; captured nodes join those of a graph.
void graphs_in_graphs() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  float* x;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  cudaGraph_t inner, outer;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  increment<<<n / 256, 256, 0, stream>>>(x);
  increment<<<n / 256, 256, 0, stream>>>(x);
  CHECK(cudaStreamEndCapture(stream, &inner));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, inner, 0));
  CHECK(cudaGraphCreate(&outer, 0));
  cudaMemsetParams fill{};
  fill.dst = x;
  fill.elementSize = 4;
  fill.width = n;
  fill.height = 1;
  cudaGraphNode_t root;
  CHECK(cudaGraphAddMemsetNode(&root, outer, nullptr, 0, &fill));
  CHECK(cudaStreamBeginCaptureToGraph(stream, outer, &root, nullptr, 1, cudaStreamCaptureModeRelaxed));
  CHECK(cudaGraphLaunch(exec, stream));
  increment<<<n / 256, 256, 0, stream>>>(x);
  CHECK(cudaStreamEndCapture(stream, &outer));
  cudaGraphExec_t both;
  CHECK(cudaGraphInstantiate(&both, outer, 0));
  std::vector<float> host(n);
  for (int round = 0; round < 2; ++round) {
    CHECK(cudaGraphLaunch(both, stream));
    CHECK(cudaMemcpyAsync(host.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (const float value : host) REQUIRE(value == 3);
  }
  CHECK(cudaGraphExecDestroy(both));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(outer));
  CHECK(cudaGraphDestroy(inner));
  CHECK(cudaFree(x));
  CHECK(cudaStreamDestroy(stream));
}

/// A stream takes part without a wait: its next node gets dependencies by the program.
void dependencies_by_the_program() {
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  float* x;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(x, 0, n * sizeof(float), stream));
  cudaStreamCaptureStatus status;
  cudaGraph_t graph;
  const cudaGraphNode_t* tails;
  size_t count;
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &tails, nullptr, &count));
  REQUIRE(status == cudaStreamCaptureStatusActive && count == 1);
  cudaKernelNodeParams kernel{};
  void* arguments[] = {&x};
  kernel.func = (void*)increment;
  kernel.gridDim = n / 256;
  kernel.blockDim = 256;
  kernel.kernelParams = arguments;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddKernelNode(&node, graph, tails, count, &kernel));
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies));
  increment<<<n / 256, 256, 0, stream>>>(x);
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, stream));
  std::vector<float> host(n);
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(host.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (const float value : host) REQUIRE(value == 2);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(x));
  CHECK(cudaStreamDestroy(stream));
}

int main() {
  launches_of_a_captured_graph(cudaStreamCaptureModeRelaxed);
  launches_of_a_captured_graph(cudaStreamCaptureModeGlobal);
  order_with_other_work();
  graphs_in_graphs();
  dependencies_by_the_program();
  return passed();
}
