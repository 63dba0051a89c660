// SPDX-License-Identifier: MIT
// Choosing the kernel of an operation.
#pragma once

#include "backend/backend.h"
#include "kernels/operations.h"

namespace d2l::backend {

/// The kernel for these operands on the devices of `backend`. Raises a TypeError where there is none.
NamedKernel find_kernel(const Backend& backend, Operation operation, const KernelArguments& arguments);

}  // namespace d2l::backend
