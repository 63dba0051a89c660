// SPDX-License-Identifier: MIT
// The launch of a kernel: every operation gets to the backend by these functions.
#pragma once

#include <initializer_list>

#include "backend/kernel.h"
#include "core/tensor_impl.h"
#include "d2l/scalar.h"
#include "kernels/operations.h"

namespace d2l::backend {

class Backend;

/// The kernel of an operation for the dtypes of its operands and the backend's processor. TypeError if there is none.
NamedKernel find_kernel(const Backend& backend, Operation operation, const KernelArguments& arguments);

}  // namespace d2l::backend

namespace d2l::detail {

using backend::KernelArguments;
using backend::Operation;

/// Before a kernel or a copy uses these tensors, the first of which it writes: waits for copies in progress, and checks
/// placement if D2L_CHECK_PLACEMENT is set. A tensor may be null.
void prepare(Operation operation, std::initializer_list<const TensorImpl*> tensors);
/// Puts a kernel into the queue of `device`. `bytes` and `flops` are for the ledgers.
void launch(Operation operation, Device device, const KernelArguments& arguments, std::int64_t bytes,
            std::int64_t flops);
/// Prepares and launches a kernel that uses whole arrays, the output first: sets the operands of `arguments`. A tensor
/// may be null. The ledgers count the bytes of all arrays, and the flops of `elements`.
void launch_whole(Operation operation, KernelArguments& arguments, std::initializer_list<const TensorImpl*> tensors,
                  std::int64_t elements);

/// Arguments whose sizes are {outer, n, inner}: a shape around one of its dimensions.
KernelArguments lines_along(const Dimensions& sizes, int dim);
/// Arguments whose sizes are {n}.
KernelArguments one_dimension(std::int64_t n);
/// The operand of a kernel that uses whole arrays: all of `tensor`, without strides.
backend::Operand whole(const TensorImpl& tensor);
backend::Immediate immediate(const Scalar& number, ScalarType dtype);
/// The single element of a CPU tensor on which no copy is in progress.
Scalar read_number(const TensorImpl& tensor);

}  // namespace d2l::detail
