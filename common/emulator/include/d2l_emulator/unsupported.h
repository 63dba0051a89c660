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

using cudaTextureObject_t = unsigned long long;
using cudaSurfaceObject_t = unsigned long long;
using cudaArray_t = struct cudaArray*;

D2L_UNSUPPORTED(cudaCreateTextureObject, "textures")
D2L_UNSUPPORTED(cudaDestroyTextureObject, "textures")
D2L_UNSUPPORTED(cudaBindTexture, "textures")
D2L_UNSUPPORTED(cudaBindTextureToArray, "textures")
D2L_UNSUPPORTED(cudaCreateSurfaceObject, "surfaces")
D2L_UNSUPPORTED(cudaMallocArray, "arrays of textures")
D2L_UNSUPPORTED(cudaMalloc3DArray, "arrays of textures")
D2L_UNSUPPORTED(cudaMemcpyToArray, "arrays of textures")
D2L_UNSUPPORTED(cudaMemcpy2DToArray, "arrays of textures")
D2L_UNSUPPORTED(cudaIpcGetMemHandle, "handles for other processes")
D2L_UNSUPPORTED(cudaIpcOpenMemHandle, "handles for other processes")
#undef D2L_UNSUPPORTED

template <class T, class... A>
T tex1D(A&&...) {
  static_assert(sizeof...(A) == 999, "textures are not supported by the emulator");
  return T();
}
template <class T, class... A>
T tex1Dfetch(A&&...) {
  static_assert(sizeof...(A) == 999, "textures are not supported by the emulator");
  return T();
}
template <class T, class... A>
T tex2D(A&&...) {
  static_assert(sizeof...(A) == 999, "textures are not supported by the emulator");
  return T();
}
template <class T, class... A>
T tex3D(A&&...) {
  static_assert(sizeof...(A) == 999, "textures are not supported by the emulator");
  return T();
}
