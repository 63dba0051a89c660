// SPDX-License-Identifier: MIT
// Turns a status of CUDA, cuBLAS or NVML into an error that names the failed call, the reason, and a fix.
#include "backend/cuda/errors/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "d2l/error.h"

namespace d2l::backend::cuda {
namespace {

/// "cudaFree" for "cudaFree(pointer)".
std::string function_of(const char* call) {
  const std::string text = call;
  return text.substr(0, text.find('('));
}

/// The operation of the current scope, such as "add"; without a scope, the CUDA function.
std::string operation_of(const char* call) {
  const CallsFor* scope = CallsFor::current();
  return scope == nullptr ? function_of(call) : scope->operation();
}

std::string on_device() {
  const CallsFor* scope = CallsFor::current();
  return scope == nullptr ? std::string() : " on " + scope->health().name();
}

struct Hint {
  int status;
  const char* text;
};

constexpr std::array hints{
    Hint{cudaErrorIllegalAddress, "a kernel used an address outside the device's memory"},
    Hint{cudaErrorMisalignedAddress, "a kernel used an address that is not a multiple of the element's size"},
    Hint{cudaErrorAssert, "an assertion inside a kernel failed; standard output shows it"},
    Hint{cudaErrorLaunchTimeout, "the system's watchdog ended a kernel that ran too long"},
    Hint{cudaErrorECCUncorrectable, "the card's memory is faulty; nvidia-smi -q -d ECC shows details"},
    Hint{cudaErrorNoKernelImageForDevice,
         "this binary holds no code for the card; configure again with -DCMAKE_CUDA_ARCHITECTURES=<its number>"},
    Hint{cudaErrorInsufficientDriver, "update the NVIDIA driver, or build with an older CUDA toolkit"},
    Hint{cudaErrorDevicesUnavailable, "another program uses the card exclusively; nvidia-smi shows which"},
    Hint{cudaErrorMemoryAllocation, "release tensors that are no longer needed, or use smaller ones"},
    Hint{cudaErrorInitializationError, "the driver does not start; check the card with nvidia-smi"},
    Hint{cudaErrorSystemDriverMismatch, "the driver was updated while it was loaded; restart the machine"},
};

std::string hint_for(cudaError_t status) {
  for (const Hint& hint : hints) {
    if (hint.status == status) return fmt::format("; {}", hint.text);
  }
  return {};
}

[[noreturn]] void lose_device(const char* call, const std::string& reason) {
  if (const CallsFor* scope = CallsFor::current()) {
    scope->health().lose(reason);
    scope->health().require(scope->operation());
  }
  throw FatalDeviceError(fmt::format("[{}] {}", function_of(call), reason));
}

}  // namespace

bool is_fatal(cudaError_t status) noexcept {
  constexpr std::array fatal{cudaErrorIllegalAddress,
                             cudaErrorMisalignedAddress,
                             cudaErrorInvalidAddressSpace,
                             cudaErrorInvalidPc,
                             cudaErrorIllegalInstruction,
                             cudaErrorHardwareStackError,
                             cudaErrorAssert,
                             cudaErrorLaunchFailure,
                             cudaErrorLaunchTimeout,
                             cudaErrorECCUncorrectable,
                             cudaErrorNvlinkUncorrectable,
                             cudaErrorContextIsDestroyed,
                             cudaErrorExternalDevice,
                             static_cast<cudaError_t>(226),   // cudaErrorContained, of CUDA 12.9
                             static_cast<cudaError_t>(721)};  // cudaErrorTensorMemoryLeak, of CUDA 12.8
  return std::find(fatal.begin(), fatal.end(), status) != fatal.end();
}

void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  forget_last_error();
  const std::string reason = fmt::format("CUDA error: {} ({} of {}{}){}", cudaGetErrorString(status),
                                         cudaGetErrorName(status), function_of(call), on_device(), hint_for(status));
  if (is_fatal(status)) lose_device(call, reason);
  const std::string message = fmt::format("[{}] {}", operation_of(call), reason);
  if (status == cudaErrorMemoryAllocation) throw OutOfMemoryError(message);
  throw Error(message);
}

void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  // CUDA's error says more than cuBLAS's status.
  check(cudaGetLastError(), call);
  const std::string message =
      fmt::format("[{}] cuBLAS error: {} ({} of {}{})", operation_of(call), cublasGetStatusString(status),
                  cublasGetStatusName(status), function_of(call), on_device());
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw OutOfMemoryError(message);
  throw Error(message);
}

void check(nvml::Result status, const char* call) {
  if (status == nvml::Result::success) return;
  throw Error(fmt::format("[{}] NVML error {}", function_of(call), static_cast<int>(status)));
}

}  // namespace d2l::backend::cuda
