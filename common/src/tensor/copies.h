// SPDX-License-Identifier: MIT
// Copies across devices and dtypes, without a record for gradients.
#pragma once

#include "core/tensor_impl.h"
#include "core/transfer.h"

namespace d2l::detail {

/// A new tensor with the values of `source`.
Tensor copied(const Tensor& source, Device device, ScalarType dtype, bool pinned, const Transfer& transfer);

}  // namespace d2l::detail
