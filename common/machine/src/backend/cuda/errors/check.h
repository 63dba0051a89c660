// SPDX-License-Identifier: MIT
// D2L_CUDA_CHECK: checks every call of CUDA, cuBLAS and NVML, and turns a failure into a d2l::Error.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include "backend/health.h"
#include "base/non_copyable.h"

/// Throws if `call` fails: FatalDeviceError if the device is lost, OutOfMemoryError, or else Error.
#define D2L_CUDA_CHECK(call) ::d2l::backend::cuda::check((call), #call)

namespace d2l::backend::cuda {

// The few declarations of NVML that are used; a toolkit may lack nvml.h.
namespace nvml {
/// nvmlReturn_t: 0 is success.
enum class Result : int { success = 0 };
/// nvmlDevice_t.
using Device = struct DeviceHandle*;
/// nvmlUtilization_t: percent of the last sample period.
struct Utilization {
  unsigned int gpu;
  unsigned int memory;
};
/// nvmlTemperatureSensors_t.
enum class TemperatureSensor : int { gpu = 0 };
}  // namespace nvml

void check(cudaError_t status, const char* call);
void check(cublasStatus_t status, const char* call);
void check(nvml::Result status, const char* call);

/// True for an error after which every later call in the device's context fails.
[[nodiscard]] bool is_fatal(cudaError_t status) noexcept;

/// Resets CUDA's last error, which the caller has handled; a fatal error remains.
inline void forget_last_error() noexcept { static_cast<void>(cudaGetLastError()); }

/// Ignores the failure of a call that cleans up: it must not be taken for the error of the next launch.
inline void ignore(cudaError_t status) noexcept {
  if (status != cudaSuccess) forget_last_error();
}

/// The device and operation of this thread's calls in this scope: messages name the device, and a fatal error loses it.
class CallsFor : detail::NonCopyable {
 public:
  CallsFor(Health& health, const char* operation) noexcept
      : health_(health), operation_(operation), previous_(current_) {
    current_ = this;
  }
  ~CallsFor() { current_ = previous_; }

  /// The innermost scope; null if there is none.
  [[nodiscard]] static const CallsFor* current() noexcept { return current_; }
  [[nodiscard]] Health& health() const noexcept { return health_; }
  [[nodiscard]] const char* operation() const noexcept { return operation_; }

 private:
  inline static thread_local const CallsFor* current_ = nullptr;
  Health& health_;
  const char* operation_;
  const CallsFor* previous_;
};

/// Makes a card the current one of the CUDA runtime in this scope. After the outermost scope the card stays current: to
/// make the previous one current would create a context on it, even if the program never uses it.
class CardGuard : detail::NonCopyable {
 public:
  explicit CardGuard(int card) : outer_(current_) {
    D2L_CUDA_CHECK(cudaSetDevice(card));
    current_ = card;
  }
  ~CardGuard() {
    if (outer_ != none && outer_ != current_) ignore(cudaSetDevice(outer_));
    current_ = outer_;
  }

 private:
  static constexpr int none = -1;
  inline static thread_local int current_ = none;
  int outer_;
};

}  // namespace d2l::backend::cuda
