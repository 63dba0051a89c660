// SPDX-License-Identifier: MIT
// Elements of vectors and matrices of cuSPARSE, whose types are known when the program runs.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cusparse.h"
#include "runtime/memory.h"

namespace d2l::emulator::sparse {

inline std::size_t size_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_32F:
      return 4;
    case CUDA_R_64F:
    case CUDA_C_32F:
      return 8;
    case CUDA_C_64F:
      return 16;
    default:
      return 0;  // not supported
  }
}
inline std::size_t size_of(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_32I ? 4 : (type == CUSPARSE_INDEX_64I ? 8 : 0);
}

template <class T>
constexpr cudaDataType type_of() {
  if constexpr (std::is_same_v<T, float>) return CUDA_R_32F;
  if constexpr (std::is_same_v<T, double>) return CUDA_R_64F;
  if constexpr (std::is_same_v<T, std::complex<float>>) return CUDA_C_32F;
  if constexpr (std::is_same_v<T, std::complex<double>>) return CUDA_C_64F;
}
/// The type that a function computes with, if it has no argument for that: half numbers are added in float.
inline cudaDataType computed_with(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF ? CUDA_R_32F : type;
}
/// True if elements of a type can be added as `compute`.
inline bool fits(cudaDataType type, cudaDataType compute) { return computed_with(type) == compute; }

/// Calls function(T{}) for the type of a computation.
template <class Function>
cusparseStatus_t with_type(cudaDataType compute, const Function& function) {
  switch (compute) {
    case CUDA_R_32F:
      return function(float{});
    case CUDA_R_64F:
      return function(double{});
    case CUDA_C_32F:
      return function(std::complex<float>{});
    case CUDA_C_64F:
      return function(std::complex<double>{});
    default:
      return CUSPARSE_STATUS_NOT_SUPPORTED;
  }
}

template <class T>
T conjugate(T value, bool wanted) {
  if constexpr (!std::is_floating_point_v<T>) {
    if (wanted) return std::conj(value);
  }
  return value;
}

/// Elements in device memory, read and written as T.
template <class T>
class Values {
 public:
  Values(const void* memory, cudaDataType type)
      : data_(static_cast<std::byte*>(contents_of(memory))), type_(type), own_(type == type_of<T>()) {}
  [[nodiscard]] T get(std::int64_t i) const {
    if (own_) return reinterpret_cast<const T*>(data_)[i];
    if constexpr (std::is_same_v<T, float>) {
      return type_ == CUDA_R_16F ? reinterpret_cast<const __half*>(data_)[i].wide()
                                 : reinterpret_cast<const __nv_bfloat16*>(data_)[i].wide();
    }
    return T{};  // no other type fits()
  }
  void set(std::int64_t i, T value) const {
    if (own_) {
      reinterpret_cast<T*>(data_)[i] = value;
    } else if constexpr (std::is_same_v<T, float>) {
      if (type_ == CUDA_R_16F) {
        reinterpret_cast<__half*>(data_)[i] = value;
      } else {
        reinterpret_cast<__nv_bfloat16*>(data_)[i] = value;
      }
    }
  }

 private:
  std::byte* data_;
  cudaDataType type_;
  bool own_;
};

/// Indices in device memory, counted from 0.
class Indices {
 public:
  Indices(const void* memory, cusparseIndexType_t type, cusparseIndexBase_t base)
      : data_(contents_of(memory)), wide_(type == CUSPARSE_INDEX_64I), base_(base) {}
  [[nodiscard]] std::int64_t get(std::int64_t i) const {
    return (wide_ ? static_cast<const std::int64_t*>(data_)[i] : static_cast<const std::int32_t*>(data_)[i]) - base_;
  }
  void set(std::int64_t i, std::int64_t index) const {
    if (wide_) {
      static_cast<std::int64_t*>(data_)[i] = index + base_;
    } else {
      static_cast<std::int32_t*>(data_)[i] = static_cast<std::int32_t>(index + base_);
    }
  }

 private:
  void* data_;
  bool wide_;
  int base_;
};

}  // namespace d2l::emulator::sparse
