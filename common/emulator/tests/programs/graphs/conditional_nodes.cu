// SPDX-License-Identifier: MIT
// Conditional nodes: a sequence of Collatz as a loop with a branch in it, a switch, copies and fills in a loop, bodies
// that are changed, and what a graph with such nodes cannot do.
#include <vector>

#include "verify.h"

#if CUDART_VERSION >= 12080

cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const std::vector<cudaGraphNode_t>& before,
                cudaGraphNodeParams* parameters) {
#if CUDART_VERSION >= 13000
  return cudaGraphAddNode(node, graph, before.data(), nullptr, before.size(), parameters);
#else
  return cudaGraphAddNode(node, graph, before.data(), before.size(), parameters);
#endif
}

template <class Kernel>
cudaGraphNodeParams kernel_of(Kernel* kernel, void** arguments) {
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeKernel};
  parameters.kernel.func = (void*)kernel;
  parameters.kernel.gridDim = dim3(1);
  parameters.kernel.blockDim = dim3(1);
  parameters.kernel.kernelParams = arguments;
  return parameters;
}

cudaGraphNodeParams conditional_of(cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                                   unsigned size) {
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeConditional};
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = size;
  return parameters;
}

__global__ void look(const unsigned* x, cudaGraphConditionalHandle is_odd) { cudaGraphSetConditional(is_odd, *x % 2); }
__global__ void triple(unsigned* x) { *x = 3 * *x + 1; }
__global__ void halve(unsigned* x) { *x /= 2; }
__global__ void count(const unsigned* x, unsigned* steps, cudaGraphConditionalHandle goes_on) {
  ++*steps;
  cudaGraphSetConditional(goes_on, *x != 1);
}

/// while (goes on) { look; if (odd) triple else halve; count }
void collatz() {
  unsigned *x, *steps;
  CHECK(cudaMalloc(&x, sizeof *x));
  CHECK(cudaMalloc(&steps, sizeof *steps));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle goes_on, is_odd;
  CHECK(cudaGraphConditionalHandleCreate(&goes_on, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNode_t loop;
  cudaGraphNodeParams of_loop = conditional_of(goes_on, cudaGraphCondTypeWhile, 1);
  CHECK(add(&loop, graph, {}, &of_loop));
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(loop, &type));
  REQUIRE(type == cudaGraphNodeTypeConditional);

  const cudaGraph_t body = of_loop.conditional.phGraph_out[0];
  CHECK(cudaGraphConditionalHandleCreate(&is_odd, body));
  cudaGraphNode_t looked, branch, counted, tripled, halved;
  void *of_look[] = {&x, &is_odd}, *of_count[] = {&x, &steps, &goes_on}, *of_step[] = {&x};
  cudaGraphNodeParams looking = kernel_of(look, of_look), counting = kernel_of(count, of_count);
  CHECK(add(&looked, body, {}, &looking));
  cudaGraphNodeParams of_branch = conditional_of(is_odd, cudaGraphCondTypeIf, 2);
  CHECK(add(&branch, body, {looked}, &of_branch));
  CHECK(add(&counted, body, {branch}, &counting));
  cudaGraphNodeParams tripling = kernel_of(triple, of_step), halving = kernel_of(halve, of_step);
  CHECK(add(&tripled, of_branch.conditional.phGraph_out[0], {}, &tripling));
  CHECK(add(&halved, of_branch.conditional.phGraph_out[1], {}, &halving));

  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  for (const unsigned start : {6u, 7u, 27u}) {
    CHECK(cudaMemcpyAsync(x, &start, sizeof start, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemsetAsync(steps, 0, sizeof *steps, stream));
    CHECK(cudaGraphLaunch(exec, stream));
    unsigned result = 0, last = 0, expected = 0;
    CHECK(cudaMemcpyAsync(&result, steps, sizeof result, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaMemcpyAsync(&last, x, sizeof last, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (unsigned i = start; i != 1; i = i % 2 == 1 ? 3 * i + 1 : i / 2) ++expected;
    REQUIRE(result == expected && last == 1);
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(x));
  CHECK(cudaFree(steps));
}

__global__ void choose(const unsigned* which, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, *which);
}
__global__ void mark(unsigned* at, unsigned value) { *at += value; }

/// Body i adds i + 1 to element i. The body of 1 is changed in the instance, and then by a graph that takes its place.
void choice() {
  constexpr unsigned bodies = 3;
  unsigned *which, *marks;
  CHECK(cudaMalloc(&which, sizeof *which));
  CHECK(cudaMalloc(&marks, bodies * sizeof *marks));
  cudaGraphExec_t exec = nullptr;
  std::vector<cudaGraphNode_t> nodes(bodies);
  const auto make = [&](unsigned step) {
    cudaGraph_t graph;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
    void* of_choose[] = {&which, &handle};
    cudaGraphNodeParams choosing = kernel_of(choose, of_choose);
    cudaGraphNodeParams of_switch = conditional_of(handle, cudaGraphCondTypeSwitch, bodies);
    cudaGraphNode_t chosen, node;
    CHECK(add(&chosen, graph, {}, &choosing));
    CHECK(add(&node, graph, {chosen}, &of_switch));
    for (unsigned i = 0; i < bodies; ++i) {
      unsigned *at = marks + i, value = step * (i + 1);
      void* of_mark[] = {&at, &value};
      cudaGraphNodeParams marking = kernel_of(mark, of_mark);
      CHECK(add(&nodes[i], of_switch.conditional.phGraph_out[i], {}, &marking));
    }
    return graph;
  };
  const auto runs = [&](unsigned value) {
    CHECK(cudaMemcpy(which, &value, sizeof value, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(marks, 0, bodies * sizeof *marks));
    CHECK(cudaGraphLaunch(exec, nullptr));
    std::vector<unsigned> host(bodies);
    CHECK(cudaMemcpy(host.data(), marks, bodies * sizeof *marks, cudaMemcpyDeviceToHost));
    return host;
  };
  const cudaGraph_t graph = make(1);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  using Marks = std::vector<unsigned>;
  REQUIRE(runs(0) == Marks({1, 0, 0}) && runs(1) == Marks({0, 2, 0}) && runs(2) == Marks({0, 0, 3}));
  REQUIRE(runs(3) == Marks({0, 0, 0}));

  unsigned *at = marks + 1, value = 50;
  void* of_mark[] = {&at, &value};
  cudaKernelNodeParams marking{};
  marking.func = (void*)mark;
  marking.gridDim = dim3(1);
  marking.blockDim = dim3(1);
  marking.kernelParams = of_mark;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, nodes[1], &marking));
  REQUIRE(runs(1) == Marks({0, 50, 0}) && runs(2) == Marks({0, 0, 3}));

  const cudaGraph_t other = make(10);
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(exec, other, &info));
  REQUIRE(runs(0) == Marks({10, 0, 0}) && runs(1) == Marks({0, 20, 0}));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(other));
  CHECK(cudaFree(which));
  CHECK(cudaFree(marks));
}

__global__ void next(const int* from, int* to, int* left, cudaGraphConditionalHandle goes_on) {
  *to += *from;
  cudaGraphSetConditional(goes_on, --*left > 0);
}

/// A loop that is captured: a fill, a copy and a kernel; a graph of which it is a part goes on after it.
void copies_in_a_loop() {
  int *x, host[4] = {7, 0, 0, 5};  // from, copy, sum, rounds
  CHECK(cudaMalloc(&x, sizeof host));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(x, host, sizeof host, cudaMemcpyHostToDevice, stream));
  cudaStreamCaptureStatus status;
  cudaGraph_t graph;
  const cudaGraphNode_t* before;
  size_t count;
#if CUDART_VERSION >= 13000
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, nullptr, &count));
#else
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &before, &count));
#endif
  cudaGraphConditionalHandle goes_on;
  CHECK(cudaGraphConditionalHandleCreate(&goes_on, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams of_loop = conditional_of(goes_on, cudaGraphCondTypeWhile, 1);
  cudaGraphNode_t loop;
  CHECK(add(&loop, graph, {before, before + count}, &of_loop));
#if CUDART_VERSION >= 13000
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &loop, nullptr, 1, cudaStreamSetCaptureDependencies));
#else
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &loop, 1, cudaStreamSetCaptureDependencies));
#endif
  int result[4] = {};
  CHECK(cudaMemcpyAsync(result, x, sizeof result, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));

  CHECK(cudaStreamBeginCaptureToGraph(stream, of_loop.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(x + 1, 0, sizeof *x, stream));
  CHECK(cudaMemcpyAsync(x + 1, x, sizeof *x, cudaMemcpyDeviceToDevice, stream));
  next<<<1, 1, 0, stream>>>(x + 1, x + 2, x + 3, goes_on);
  CHECK(cudaStreamEndCapture(stream, nullptr));

  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int launch = 0; launch < 2; ++launch) {
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    REQUIRE(result[0] == 7 && result[1] == 7 && result[2] == 35 && result[3] == 0);
  }
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(x));
}

void CUDART_CB nothing(void*) {}

void verify_fails(cudaError_t error) {
  REQUIRE(error != cudaSuccess);
  cudaGetLastError();
}

void refused() {
  cudaGraph_t graph, other, clone;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&other, 0));
  cudaGraphConditionalHandle handle, of_other;
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0, cudaGraphCondAssignDefault));
  CHECK(cudaGraphConditionalHandleCreate(&of_other, other, 0, cudaGraphCondAssignDefault));
  verify_fails(cudaGraphConditionalHandleCreate(&handle, graph, 0, 2));
  cudaGraphNode_t node, inner;
  cudaGraphNodeParams wrong_graph = conditional_of(of_other, cudaGraphCondTypeIf, 1);
  cudaGraphNodeParams wrong_size = conditional_of(handle, cudaGraphCondTypeWhile, 2);
  verify_fails(add(&node, graph, {}, &wrong_graph));
  verify_fails(add(&node, graph, {}, &wrong_size));
  cudaGraphNodeParams right = conditional_of(handle, cudaGraphCondTypeIf, 1);
  CHECK(add(&node, graph, {}, &right));
  verify_fails(cudaGraphClone(&clone, graph));
  verify_fails(cudaGraphAddChildGraphNode(&inner, other, nullptr, 0, graph));
  cudaGraphExec_t exec, second;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  verify_fails(cudaGraphInstantiate(&second, graph, 0));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));  // the only one again
  CHECK(cudaGraphExecDestroy(exec));
  cudaGraphNodeParams of_host = {cudaGraphNodeTypeHost};
  of_host.host.fn = nothing;
  const bool added = add(&inner, right.conditional.phGraph_out[0], {}, &of_host) == cudaSuccess;
  REQUIRE(!added || cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess);
  cudaGetLastError();  // of the one that failed
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(other));
}

int main() {
  collatz();
  choice();
  copies_in_a_loop();
  refused();
  return passed();
}

#else

int main() { return passed(); }

#endif
