// SPDX-License-Identifier: MIT
// Errors of the CUDA runtime: the last error of each thread, and how functions report theirs.
#pragma once

#include <exception>
#include <utility>

#include "d2l/error.h"
#include "d2l_emulator/runtime_api.h"

namespace d2l::emulator {

/// Ends a function of the runtime with this error.
struct Failure {
  cudaError_t error;
};

/// Failure with this error unless `condition` holds.
inline void require(bool condition, cudaError_t error = cudaErrorInvalidValue) {
  if (!condition) throw Failure{error};
}

/// Ends the process with exit code 2, because an environment variable is wrong.
[[noreturn]] void refuse_environment(const char* text) noexcept;

/// Makes an error the last one of this thread; cudaSuccess changes nothing. Returns it.
cudaError_t note(cudaError_t error) noexcept;
/// The fatal error of the current device of this thread; cudaSuccess while it works.
cudaError_t fatal_error_here() noexcept;
/// Creates the context of the current device of this thread; an error if another program uses the device.
cudaError_t require_context_here() noexcept;
/// True if the runtime behaves as after its end.
bool is_unloaded() noexcept;
/// The name and the description of an error: the program does not see it.
const char* error_name(cudaError_t error) noexcept;
const char* error_text(cudaError_t error) noexcept;
/// The error of the exception that is being handled.
cudaError_t current_error() noexcept;

/// The body of a function that does not depend on the state of a device.
template <class Body>
cudaError_t plain_call(const Body& body) noexcept {
  if (is_unloaded()) return cudaErrorCudartUnloading;
  try {
    body();
    return cudaSuccess;
  } catch (...) {
    return note(current_error());
  }
}

/// The body of a function that fails once the current device is lost.
template <class Body>
cudaError_t device_call(const Body& body) noexcept {
  if (is_unloaded()) return cudaErrorCudartUnloading;
  if (const cudaError_t fatal = fatal_error_here(); fatal != cudaSuccess) return note(fatal);
  if (const cudaError_t error = require_context_here(); error != cudaSuccess) return error;
  return plain_call(body);
}

}  // namespace d2l::emulator
