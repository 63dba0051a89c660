// SPDX-License-Identifier: MIT
// Reading a tensor's values from the host, wherever it is.
#pragma once

#include "d2l/tensor.h"

namespace d2l::detail {

/// A row-major CPU tensor with the values of `tensor`, which have arrived: from a GPU, one copy and a synchronisation.
/// An implicit copy asks the thread's guard first. A row-major CPU tensor comes back itself.
Tensor to_host(const Tensor& tensor, const char* operation, bool implicit);
/// The value of a tensor of one element; from a GPU an implicit copy.
Scalar single_value(const Tensor& tensor, const char* operation);

}  // namespace d2l::detail
