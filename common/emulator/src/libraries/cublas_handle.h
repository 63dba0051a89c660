// SPDX-License-Identifier: MIT
// What the sources of cuBLAS share: the handle, and work on its stream.
#pragma once

#include <cblas.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "cublas_v2.h"
#include "libraries/library_work.h"
#include "runtime/device.h"
#include "runtime/errors.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
};

namespace d2l::emulator {

/// A scalar: read now if it is the host's, else when the work runs.
template <class T>
class Scalar {
 public:
  Scalar(cublasHandle_t handle, const T* address)
      : address_(address),
        value_(handle->mode == CUBLAS_POINTER_MODE_HOST ? *address : T()),
        on_host_(handle->mode == CUBLAS_POINTER_MODE_HOST) {}
  [[nodiscard]] T get() const { return on_host_ ? value_ : *at(address_); }

 private:
  const T* address_;
  T value_;
  bool on_host_;
};

/// A matrix of a product, column by column: rounded to TF32, if the handle says so.
template <class T>
class Factor {
 public:
  Factor(cublasMath_t math, const T* from, std::int64_t leading, std::int64_t rows, std::int64_t columns)
      : data_(from) {
    if constexpr (std::is_same_v<T, float>) {
      if (math != CUBLAS_TF32_TENSOR_OP_MATH || rows == 0 || columns == 0) return;
      rounded_.assign(from, from + leading * (columns - 1) + rows);
      for (float& value : rounded_) {
        auto bits = std::bit_cast<std::uint32_t>(value);
        if (std::isfinite(value)) bits = (bits + 0x1000U) & ~0x1fffU;  // ten bits of the fraction stay
        value = std::bit_cast<float>(bits);
      }
      data_ = rounded_.data();
    }
  }
  [[nodiscard]] const T* data() const { return data_; }

 private:
  const T* data_;
  std::vector<T> rounded_;
};

template <class Work>
cublasStatus_t push(cublasHandle_t handle, bool valid, Work work, bool wait = false) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid) return CUBLAS_STATUS_INVALID_VALUE;
  const cudaError_t error = device_call([&] {
    const auto stream = stream_of(handle->stream);
    stream->push(std::move(work));
    if (wait && handle->mode == CUBLAS_POINTER_MODE_HOST) stream->synchronize();
  });
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

inline CBLAS_TRANSPOSE transposed(cublasOperation_t operation) {
  return operation == CUBLAS_OP_N ? CblasNoTrans : CblasTrans;
}

}  // namespace d2l::emulator
