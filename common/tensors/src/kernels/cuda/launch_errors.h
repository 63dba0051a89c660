// SPDX-License-Identifier: MIT
// check_launch(): the errors of Thrust's launches. For sources of kernels only, because Thrust's types have other names
// in other files.
#pragma once

#include <thrust/system_error.h>

#include "backend/cuda/errors/check.h"

namespace d2l::backend::cuda {

/// Calls `launch`. Thrust clears CUDA's last error before it throws, so the error that it throws tells the status.
template <class Launch>
void check_launch(const Launch& launch) {
  try {
    launch();
  } catch (const thrust::system_error& error) {
    check(static_cast<cudaError_t>(error.code().value()), "launch");
    throw;
  }
}

}  // namespace d2l::backend::cuda
