// SPDX-License-Identifier: MIT
// D2L_CUDA_CHECK: every call of CUDA, cuBLAS and NVML goes through it, and a failure becomes an error of our hierarchy.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include "backend/cuda/health.h"
#include "backend/cuda/nvml_types.h"

/// Throws when `call` did not succeed: FatalDeviceError when the device is lost, OutOfMemoryError, else Error.
#define D2L_CUDA_CHECK(call) ::d2l::backend::cuda::check((call), #call)

namespace d2l::backend::cuda {

void check(cudaError_t status, const char* call);
void check(cublasStatus_t status, const char* call);
void check(nvml::Result status, const char* call);

/// True for errors after which every later call in the device's context fails.
[[nodiscard]] bool is_fatal(cudaError_t status) noexcept;

/// Forgets the error of the last call, which was dealt with; a fatal one stays.
inline void forget_last_error() noexcept { static_cast<void>(cudaGetLastError()); }

/// What this thread's calls are for, in this scope: the device is named in messages, and lost after a fatal error.
class CallsFor {
 public:
  CallsFor(Health& health, const char* operation) noexcept
      : health_(health), operation_(operation), previous_(current_) {
    current_ = this;
  }
  ~CallsFor() { current_ = previous_; }
  CallsFor(const CallsFor&) = delete;
  CallsFor& operator=(const CallsFor&) = delete;

  /// The innermost scope; null outside of all.
  [[nodiscard]] static const CallsFor* current() noexcept { return current_; }
  [[nodiscard]] Health& health() const noexcept { return health_; }
  [[nodiscard]] const char* operation() const noexcept { return operation_; }

 private:
  inline static thread_local const CallsFor* current_ = nullptr;
  Health& health_;
  const char* operation_;
  const CallsFor* previous_;
};

/// Makes a card the current one of CUDA's runtime in this scope.
class CardGuard {
 public:
  explicit CardGuard(int card) : card_(card) {
    D2L_CUDA_CHECK(cudaGetDevice(&previous_));
    if (previous_ != card_) D2L_CUDA_CHECK(cudaSetDevice(card_));
  }
  ~CardGuard() {
    if (previous_ != card_) static_cast<void>(cudaSetDevice(previous_));
  }
  CardGuard(const CardGuard&) = delete;
  CardGuard& operator=(const CardGuard&) = delete;

 private:
  int card_;
  int previous_ = 0;
};

}  // namespace d2l::backend::cuda
