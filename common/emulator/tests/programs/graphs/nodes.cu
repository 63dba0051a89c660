// SPDX-License-Identifier: MIT
// Graphs that are built node by node: a sum in two steps, copies to and from variables, copies of rows, graphs in
// graphs, events, edges, clones, and what the graph tells of its nodes.
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "verify.h"

constexpr int n = 1 << 12;
constexpr int threads = 256;
__constant__ int weights[4];
__device__ int result_on_device;

template <int count>
__global__ void sum_of_blocks(const int* in, int* out, int size) {
  __shared__ int part[count];
  int sum = 0;
  for (int i = blockIdx.x * count + threadIdx.x; i < size; i += gridDim.x * count) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = count / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
__global__ void weigh(int* x) { x[threadIdx.x] *= weights[threadIdx.x]; }
__global__ void publish(const int* x) { result_on_device = x[0] + x[1] + x[2] + x[3]; }

struct Summary {
  const int* value;
  long long total = 0;
};
void CUDART_CB accumulate(void* data) {
  auto* const summary = static_cast<Summary*>(data);
  summary->total += *summary->value;
}

cudaKernelNodeParams kernel_of(void* function, int blocks, int block, void** arguments) {
  cudaKernelNodeParams kernel{};
  kernel.func = function;
  kernel.gridDim = dim3(blocks, 1, 1);
  kernel.blockDim = dim3(block, 1, 1);
  kernel.kernelParams = arguments;
  return kernel;
}

void sum_in_two_steps() {
  std::vector<int> host(n);
  long long expected = 0;
  for (int i = 0; i < n; ++i) expected += host[i] = i % 17;
  int *in, *parts, *total, host_total = 0;
  CHECK(cudaMalloc(&in, n * sizeof(int)));
  CHECK(cudaMalloc(&parts, 16 * sizeof(int)));
  CHECK(cudaMalloc(&total, sizeof(int)));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(host.data(), n * sizeof(int), n, 1);
  copy.dstPtr = make_cudaPitchedPtr(in, n * sizeof(int), n, 1);
  copy.extent = make_cudaExtent(n * sizeof(int), 1, 1);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemsetParams fill{};
  fill.dst = parts;
  fill.elementSize = sizeof(int);
  fill.width = 16;
  fill.height = 1;
  cudaGraphNode_t copied, filled, partial, summed, back, told;
  CHECK(cudaGraphAddMemcpyNode(&copied, graph, nullptr, 0, &copy));
  CHECK(cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill));
  int size = n;
  void* of_parts[] = {&in, &parts, &size};
  cudaKernelNodeParams kernel = kernel_of((void*)sum_of_blocks<threads>, 16, threads, of_parts);
  const cudaGraphNode_t both[] = {copied, filled};
  CHECK(cudaGraphAddKernelNode(&partial, graph, both, 2, &kernel));
  size = 16;
  void* of_total[] = {&parts, &total, &size};
  kernel = kernel_of(reinterpret_cast<void*>(&sum_of_blocks<16>), 1, 16, of_total);
  CHECK(cudaGraphAddKernelNode(&summed, graph, &partial, 1, &kernel));
  CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &summed, 1, &host_total, total, sizeof(int), cudaMemcpyDeviceToHost));
  Summary summary{&host_total};
  cudaHostNodeParams function{accumulate, &summary};
  CHECK(cudaGraphAddHostNode(&told, graph, &back, 1, &function));

  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(filled, &type));
  REQUIRE(type == cudaGraphNodeTypeMemset);
  cudaKernelNodeParams known;
  CHECK(cudaGraphKernelNodeGetParams(summed, &known));
  REQUIRE(known.gridDim.x == 1 && known.blockDim.x == 16 && *static_cast<int*>(known.kernelParams[2]) == 16);
  cudaMemsetParams known_fill;
  CHECK(cudaGraphMemsetNodeGetParams(filled, &known_fill));
  REQUIRE(known_fill.dst == parts && known_fill.width == 16 && known_fill.elementSize == 4);
  cudaHostNodeParams known_function;
  CHECK(cudaGraphHostNodeGetParams(told, &known_function));
  REQUIRE(known_function.userData == &summary);
  size_t count = 0;
  CHECK(cudaGraphNodeGetDependencies(partial, nullptr, nullptr, &count));
  REQUIRE(count == 2);
  cudaGraphNode_t nodes[8];
  count = 8;
  CHECK(cudaGraphNodeGetDependentNodes(partial, nodes, nullptr, &count));
  REQUIRE(count == 1 && nodes[0] == summed && nodes[1] == nullptr);

  cudaGraph_t clone;
  CHECK(cudaGraphClone(&clone, graph));
  cudaGraphNode_t in_clone;
  CHECK(cudaGraphNodeFindInClone(&in_clone, told, clone));
  CHECK(cudaGraphDestroyNode(in_clone));  // the clone tells nothing
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaGraphExec_t exec, exec_of_clone;
  cudaGraphNode_t error_node;
  char log[64];
#if CUDART_VERSION >= 12000
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
#else
  CHECK(cudaGraphInstantiate(&exec, graph, &error_node, log, sizeof log));
#endif
  CHECK(cudaGraphInstantiate(&exec_of_clone, clone, &error_node, log, sizeof log));
  for (int i = 1; i <= 3; ++i) {
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    REQUIRE(host_total == expected && summary.total == i * expected);
  }
  host_total = 0;
  CHECK(cudaGraphLaunch(exec_of_clone, stream));
  CHECK(cudaStreamSynchronize(stream));
  REQUIRE(host_total == expected && summary.total == 3 * expected);

  const std::string path = "d2l_nodes_" + std::to_string(::getpid()) + ".dot";  // a counted one may run beside it
  CHECK(cudaGraphDebugDotPrint(graph, path.c_str(), cudaGraphDebugDotFlagsVerbose));
  std::FILE* const file = std::fopen(path.c_str(), "r");
  REQUIRE(file != nullptr);
  char text[8192] = {};
  REQUIRE(std::fread(text, 1, sizeof text - 1, file) > 0);
  std::fclose(file);
  std::remove(path.c_str());
  REQUIRE(std::strstr(text, "digraph") != nullptr && std::strstr(text, "->") != nullptr);
  for (const cudaGraphExec_t one : {exec, exec_of_clone}) CHECK(cudaGraphExecDestroy(one));
  for (const cudaGraph_t one : {graph, clone}) CHECK(cudaGraphDestroy(one));
  for (int* x : {in, parts, total}) CHECK(cudaFree(x));
  CHECK(cudaStreamDestroy(stream));
}

/// A graph with copies to and from variables, as a node of another one, between events.
void variables_and_events() {
  int *x, host[4] = {1, 2, 3, 4}, factors[4] = {10, 20, 30, 40}, result = 0;
  CHECK(cudaMalloc(&x, sizeof host));
  cudaGraph_t inner, outer;
  CHECK(cudaGraphCreate(&inner, 0));
  CHECK(cudaGraphCreate(&outer, 0));
  cudaGraphNode_t to_symbol, copied, weighed, published, from_symbol;
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&to_symbol, inner, nullptr, 0, weights, factors, sizeof factors, 0,
                                       cudaMemcpyHostToDevice));
  CHECK(cudaGraphAddMemcpyNode1D(&copied, inner, nullptr, 0, x, host, sizeof host, cudaMemcpyHostToDevice));
  void* arguments[] = {&x};
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeKernel;
  parameters.kernel.func = (void*)weigh;
  parameters.kernel.gridDim = dim3(1);
  parameters.kernel.blockDim = dim3(4);
  parameters.kernel.kernelParams = arguments;
  const cudaGraphNode_t before[] = {to_symbol, copied};
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphAddNode(&weighed, inner, before, nullptr, 2, &parameters));
#else
  CHECK(cudaGraphAddNode(&weighed, inner, before, 2, &parameters));
#endif
  cudaKernelNodeParams kernel = kernel_of((void*)publish, 1, 1, arguments);
  CHECK(cudaGraphAddKernelNode(&published, inner, nullptr, 0, &kernel));
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphAddDependencies(inner, &weighed, &published, nullptr, 1));
#else
  CHECK(cudaGraphAddDependencies(inner, &weighed, &published, 1));
#endif
  CHECK(cudaGraphAddMemcpyNodeFromSymbol(&from_symbol, inner, &published, 1, &result, result_on_device, sizeof result,
                                         0, cudaMemcpyDeviceToHost));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  cudaGraphNode_t started, waited, child, empty, stopped;
  CHECK(cudaGraphAddEventWaitNode(&waited, outer, nullptr, 0, stop));
  CHECK(cudaGraphAddEventRecordNode(&started, outer, &waited, 1, start));
  CHECK(cudaGraphAddChildGraphNode(&child, outer, &started, 1, inner));
  CHECK(cudaGraphAddEmptyNode(&empty, outer, &child, 1));
  CHECK(cudaGraphAddEventRecordNode(&stopped, outer, &empty, 1, stop));
  cudaEvent_t known;
  CHECK(cudaGraphEventRecordNodeGetEvent(stopped, &known));
  REQUIRE(known == stop);
  cudaGraph_t copy_of_inner;
  CHECK(cudaGraphChildGraphNodeGetGraph(child, &copy_of_inner));
  REQUIRE(copy_of_inner != inner);
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(copy_of_inner, nullptr, &nodes));
  REQUIRE(nodes == 5);
  CHECK(cudaGraphDestroy(inner));
  cudaGraphExec_t exec;
  cudaGraphInstantiateParams how = {};
  CHECK(cudaGraphInstantiateWithParams(&exec, outer, &how));
  REQUIRE(how.result_out == cudaGraphInstantiateSuccess);
  CHECK(cudaGraphLaunch(exec, cudaStreamPerThread));
  CHECK(cudaEventSynchronize(stop));
  REQUIRE(result == 10 + 40 + 90 + 160);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  REQUIRE(milliseconds >= 0);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(outer));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFree(x));
}

/// Rows of two bytes, and a copy of a box of them.
void rows() {
  unsigned short *a, *b, host[6][8];
  size_t pitch_of_a, pitch_of_b;
  CHECK(cudaMallocPitch(&a, &pitch_of_a, 8 * sizeof *a, 6));
  CHECK(cudaMallocPitch(&b, &pitch_of_b, 8 * sizeof *b, 6));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams fill{};
  fill.dst = a;
  fill.pitch = pitch_of_a;
  fill.value = 0x1234;
  fill.elementSize = 2;
  fill.width = 8;
  fill.height = 6;
  cudaGraphNode_t filled, cleared, copied, back;
  CHECK(cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill));
  fill.dst = b;
  fill.pitch = pitch_of_b;
  fill.value = 0;
  CHECK(cudaGraphAddMemsetNode(&cleared, graph, &filled, 1, &fill));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(a, pitch_of_a, 8, 6);
  copy.dstPtr = make_cudaPitchedPtr(b, pitch_of_b, 8, 6);
  copy.dstPos = make_cudaPos(4, 1, 0);  // from element 2 of row 1 on
  copy.extent = make_cudaExtent(3 * sizeof *a, 2, 1);
  copy.kind = cudaMemcpyDeviceToDevice;
  CHECK(cudaGraphAddMemcpyNode(&copied, graph, &cleared, 1, &copy));
  copy = {};
  copy.srcPtr = make_cudaPitchedPtr(b, pitch_of_b, 8, 6);
  copy.dstPtr = make_cudaPitchedPtr(host, sizeof host[0], 8, 6);
  copy.extent = make_cudaExtent(sizeof host[0], 6, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaGraphAddMemcpyNode(&back, graph, &copied, 1, &copy));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, cudaStreamLegacy));
  CHECK(cudaDeviceSynchronize());
  for (int row = 0; row < 6; ++row) {
    for (int column = 0; column < 8; ++column) {
      const bool inside = row >= 1 && row < 3 && column >= 2 && column < 5;
      REQUIRE(host[row][column] == (inside ? 0x1234 : 0));
    }
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}

void CUDART_CB destroy(void* data) { ++*static_cast<int*>(data); }

/// Objects of the program live as long as a graph that uses them; wrong handles and circles are errors.
void objects_and_errors() {
  int destroyed = 0;
  cudaUserObject_t object;
  CHECK(cudaUserObjectCreate(&object, &destroyed, destroy, 1, cudaUserObjectNoDestructorSync));
  cudaGraph_t graph, other;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&other, 0));
  CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  cudaGraphNode_t a, b, stranger;
  CHECK(cudaGraphAddEmptyNode(&a, graph, nullptr, 0));
  CHECK(cudaGraphAddEmptyNode(&b, graph, &a, 1));
  CHECK(cudaGraphAddEmptyNode(&stranger, other, nullptr, 0));
  REQUIRE(cudaGraphAddEmptyNode(&b, graph, &stranger, 1) == cudaErrorInvalidValue);
  cudaGetLastError();
#if CUDART_VERSION >= 13000
  REQUIRE(cudaGraphAddDependencies(graph, &a, &b, nullptr, 1) == cudaErrorInvalidValue);  // there is one already
  cudaGetLastError();
  CHECK(cudaGraphAddDependencies(graph, &b, &a, nullptr, 1));
#else
  REQUIRE(cudaGraphAddDependencies(graph, &a, &b, 1) == cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(cudaGraphAddDependencies(graph, &b, &a, 1));
#endif
  cudaGraphExec_t exec;
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess);  // a circle
  cudaGetLastError();
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphRemoveDependencies(graph, &b, &a, nullptr, 1));
#else
  CHECK(cudaGraphRemoveDependencies(graph, &b, &a, 1));
#endif
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaDeviceSynchronize());
  REQUIRE(destroyed == 0);
  CHECK(cudaGraphExecDestroy(exec));
  for (int i = 0; i < 1000 && destroyed == 0; ++i) CHECK(cudaDeviceSynchronize());
  REQUIRE(destroyed == 1);
  cudaKernelNodeParams kernel{};
  REQUIRE(cudaGraphAddKernelNode(&a, other, nullptr, 0, &kernel) == cudaErrorInvalidDeviceFunction);
  cudaGetLastError();
  CHECK(cudaGraphDestroy(other));
}

int main() {
  sum_in_two_steps();
  variables_and_events();
  rows();
  objects_and_errors();
  return passed();
}
