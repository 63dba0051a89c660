// SPDX-License-Identifier: MIT
// What the programs with graphs share.
#pragma once

#include "programs.h"

inline cudaGraphExec_t instantiated(cudaGraph_t graph) {
  cudaGraphExec_t exec;
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  cudaGraphDestroy(graph);
  return exec;
}
inline cudaGraphExec_t end(cudaStream_t s) {
  cudaGraph_t graph;
  REQUIRE(cudaStreamEndCapture(s, &graph) == cudaSuccess);
  return instantiated(graph);
}
inline void begin(cudaStream_t s) { cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed); }

static __global__ void count_down(int* left, cudaGraphConditionalHandle goes_on) {
  if (threadIdx.x == 0) cudaGraphSetConditional(goes_on, --*left > 0);
}
/// A graph that does three times what `capture(stream)` records, in the body of a conditional node. It runs once.
template <class Capture>
cudaGraphExec_t loop(const Capture& capture) {
  const cudaStream_t s = stream();
  int* const left = device_memory(1);
  cudaMemset(left, 3, 1);
  cudaDeviceSynchronize();
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle goes_on;
  cudaGraphConditionalHandleCreate(&goes_on, graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams what = {cudaGraphNodeTypeConditional};
  what.conditional.handle = goes_on;
  what.conditional.type = cudaGraphCondTypeWhile;
  what.conditional.size = 1;
  cudaGraphNode_t node;
  REQUIRE(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &what) == cudaSuccess);
  cudaStreamBeginCaptureToGraph(s, what.conditional.phGraph_out[0], nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed);
  capture(s);
  count_down<<<1, 32, 0, s>>>(left, goes_on);
  REQUIRE(cudaStreamEndCapture(s, nullptr) == cudaSuccess);
  return instantiated(graph);
}
