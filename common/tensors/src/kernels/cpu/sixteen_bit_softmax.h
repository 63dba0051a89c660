// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/kernel_table.h"

namespace d2l::backend::kernels {

/// The kernel of float32 for a softmax whose results are rounded to 16 bits, with exponentials of fewer digits; null
/// for other operations.
Kernel short_softmax(Operation operation);

}  // namespace d2l::backend::kernels
