// SPDX-License-Identifier: MIT
// What the emulator does not support: a program that uses it does not compile, and the message says why.
#pragma once

#include <cstddef>

#include "d2l_emulator/runtime_types.h"

#define __cluster_dims__(...) \
  __attribute__((error("clusters of thread blocks are not supported by the emulator")))  // NOLINT: CUDA's name

#define D2L_UNSUPPORTED(name, what)                                                \
  template <class... A>                                                            \
  cudaError_t name(A&&...) {                                                       \
    static_assert(sizeof...(A) == 999, what " are not supported by the emulator"); \
    return cudaErrorNotSupported;                                                  \
  }

using cudaGraph_t = struct CUgraph_st*;
using cudaGraphExec_t = struct CUgraphExec_st*;
using cudaGraphNode_t = struct CUgraphNode_st*;
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed
};

D2L_UNSUPPORTED(cudaGraphCreate, "graphs")
D2L_UNSUPPORTED(cudaGraphInstantiate, "graphs")
D2L_UNSUPPORTED(cudaGraphLaunch, "graphs")
D2L_UNSUPPORTED(cudaStreamBeginCapture, "graphs")
D2L_UNSUPPORTED(cudaStreamEndCapture, "graphs")
D2L_UNSUPPORTED(cudaIpcGetMemHandle, "handles for other processes")
D2L_UNSUPPORTED(cudaIpcOpenMemHandle, "handles for other processes")
#undef D2L_UNSUPPORTED
