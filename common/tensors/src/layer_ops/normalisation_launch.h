// SPDX-License-Identifier: MIT
// The arguments of the kernels of layer normalisation.
#pragma once

#include "ops/elementwise_launch.h"

namespace d2l::detail {

/// Arguments whose sizes are {rows, n}.
KernelArguments rows_of(const TensorImpl& input, std::int64_t n);

}  // namespace d2l::detail
