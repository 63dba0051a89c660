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
