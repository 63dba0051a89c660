// SPDX-License-Identifier: MIT
// Elements of matrices whose type is known when the program runs.
#pragma once

#include <cstddef>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "library_types.h"

namespace d2l::emulator {

/// True for the types that products have.
inline bool known(cudaDataType type) {
  return type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF || type == CUDA_R_64F;
}
inline double read(const void* memory, cudaDataType type, std::ptrdiff_t i) {
  if (type == CUDA_R_64F) return static_cast<const double*>(memory)[i];
  if (type == CUDA_R_16F) return static_cast<double>(static_cast<const __half*>(memory)[i].wide());
  if (type == CUDA_R_16BF) return static_cast<double>(static_cast<const __nv_bfloat16*>(memory)[i].wide());
  return static_cast<double>(static_cast<const float*>(memory)[i]);
}
inline void write(void* memory, cudaDataType type, std::ptrdiff_t i, double value) {
  if (type == CUDA_R_64F) {
    static_cast<double*>(memory)[i] = value;
  } else if (type == CUDA_R_16F) {
    static_cast<__half*>(memory)[i] = value;
  } else if (type == CUDA_R_16BF) {
    static_cast<__nv_bfloat16*>(memory)[i] = value;
  } else {
    static_cast<float*>(memory)[i] = static_cast<float>(value);
  }
}

}  // namespace d2l::emulator
