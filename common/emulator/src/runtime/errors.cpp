// SPDX-License-Identifier: MIT
#include "runtime/errors.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "calls/call_site.h"
#include "calls/unread_errors.h"
#include "d2l_emulator/awkward.h"
#include "execution/run_kernel.h"
#include "hip/program.h"
#include "nested/in_kernel.h"
#include "order/timeline.h"
#include "runtime/device.h"

namespace d2l::emulator {
namespace {

struct ErrorText {
  cudaError_t error;
  const char* name;
  const char* text;
};

constexpr ErrorText table[] = {
#define D2L_ERROR(name, number, text) {name, #name, text},
#include "d2l_emulator/errors.def"
#undef D2L_ERROR
};

const ErrorText* find(cudaError_t error) {
  const auto* const found = std::ranges::find(table, error, &ErrorText::error);
  return found == std::end(table) ? nullptr : found;
}

thread_local cudaError_t last_error = cudaSuccess;

}  // namespace

void refuse_environment(const char* text) noexcept {
  std::fflush(nullptr);
  std::fprintf(stderr, "%s\n", text);
  std::_Exit(2);
}

cudaError_t note(cudaError_t error) noexcept {
  if (error == cudaSuccess) return error;
  if (in_kernel()) return in_kernel_calls::note(error);
  last_error = error;
  // The error of a lost device has its own report.
  if (timeline().active() && fatal_error_here() != error) note_failed_call(error);
  return error;
}

cudaError_t require_context_here() noexcept {
  if (in_kernel()) {  // those that a kernel may call do not get here
    std::fprintf(stderr, "a kernel calls %s, which only the host can do\n", current_call().text().c_str());
    return note(cudaErrorNotPermitted);
  }
  return plain_call([] {
    if (device_count() > 0) current_device().require_context();
  });
}

cudaError_t fatal_error_here() noexcept {
  try {
    return device_count() == 0 ? cudaSuccess : current_device().fatal_error();
  } catch (...) {
    return current_error();
  }
}

const char* error_name(cudaError_t error) noexcept {
  if (is_hip_program()) {
    if (const char* const name = hip_error_name(error); name != nullptr) return name;
  }
  const auto* const found = find(error);
  return found == nullptr ? "unrecognized error code" : found->name;
}
const char* error_text(cudaError_t error) noexcept {
  if (is_hip_program()) {
    if (const char* const text = hip_error_text(error); text != nullptr) return text;
  }
  const auto* const found = find(error);
  return found == nullptr ? "unrecognized error code" : found->text;
}

bool is_unloaded() noexcept { return awkward().unloaded.load(); }

cudaError_t current_error() noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure.error;
  } catch (const OutOfMemoryError&) {
    return cudaErrorMemoryAllocation;
  } catch (const std::bad_alloc&) {
    return cudaErrorMemoryAllocation;
  } catch (const FatalDeviceError&) {
    const cudaError_t fatal = fatal_error_here();
    return fatal != cudaSuccess ? fatal : cudaErrorLaunchFailure;
  } catch (const ConfigurationError&) {
    return cudaErrorInitializationError;
  } catch (...) {
    return cudaErrorUnknown;
  }
}

}  // namespace d2l::emulator

using namespace d2l::emulator;

cudaError_t cudaGetLastError() {
  if (in_kernel()) return in_kernel_calls::last_error(true);
  const ApiCall call(__builtin_return_address(0));
  const cudaError_t fatal = fatal_error_here();
  const cudaError_t error = fatal != cudaSuccess ? fatal : last_error;
  last_error = cudaSuccess;
  note_read_error(error, current_call());
  return error;
}
cudaError_t cudaPeekAtLastError() {
  if (in_kernel()) return in_kernel_calls::last_error(false);
  const ApiCall call(__builtin_return_address(0));
  const cudaError_t fatal = fatal_error_here();
  const cudaError_t error = fatal != cudaSuccess ? fatal : last_error;
  note_read_error(error, current_call());
  return error;
}
const char* cudaGetErrorName(cudaError_t error) {
  const ApiCall call(__builtin_return_address(0));
  if (!in_kernel()) note_read_error(error, current_call());
  return error_name(error);
}
const char* cudaGetErrorString(cudaError_t error) {
  const ApiCall call(__builtin_return_address(0));
  if (!in_kernel()) note_read_error(error, current_call());
  return error_text(error);
}
