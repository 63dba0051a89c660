// SPDX-License-Identifier: MIT
// In place of the toolkit's header: handles of cuBLASLt, whose products are not supported by the emulator.
#pragma once

#include "cublas_v2.h"

using cublasLtHandle_t = struct cublasLtContext*;
using cublasLtMatmulDesc_t = struct cublasLtMatmulDescOpaque*;
using cublasLtMatrixLayout_t = struct cublasLtMatrixLayoutOpaque*;
using cublasLtMatmulPreference_t = struct cublasLtMatmulPreferenceOpaque*;

inline cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  *handle = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtDestroy(cublasLtHandle_t) { return CUBLAS_STATUS_SUCCESS; }
#define D2L_UNSUPPORTED(name)                                                                     \
  template <class... A>                                                                           \
  cublasStatus_t name(A&&...) {                                                                   \
    static_assert(sizeof...(A) == 999, "products of cuBLASLt are not supported by the emulator"); \
    return CUBLAS_STATUS_NOT_SUPPORTED;                                                           \
  }
D2L_UNSUPPORTED(cublasLtMatmul)
D2L_UNSUPPORTED(cublasLtMatmulDescCreate)
D2L_UNSUPPORTED(cublasLtMatmulDescSetAttribute)
D2L_UNSUPPORTED(cublasLtMatrixLayoutCreate)
D2L_UNSUPPORTED(cublasLtMatmulPreferenceCreate)
D2L_UNSUPPORTED(cublasLtMatmulAlgoGetHeuristic)
#undef D2L_UNSUPPORTED
