// SPDX-License-Identifier: MIT
// Copies across devices and dtypes, without a record for gradients, and values read on the host.
#pragma once

#include "core/tensor_impl.h"
#include "core/transfer.h"

namespace d2l::detail {

/// A new tensor with the values of `source`.
Tensor copied(const Tensor& source, Device device, ScalarType dtype, bool pinned, const Transfer& transfer);

/// A row-major CPU tensor with the values of `tensor`, ready to be read: from a GPU by one copy and a synchronisation.
/// The thread's TransferGuard may refuse an implicit copy. A row-major CPU tensor is returned itself.
Tensor to_host(const Tensor& tensor, const char* operation, bool implicit);
/// The value of a tensor of one element; from a GPU an implicit copy.
Scalar single_value(const Tensor& tensor, const char* operation);

}  // namespace d2l::detail
