// SPDX-License-Identifier: MIT
// The text of a tensor, as Python's PyTorch prints it with its default options.
#pragma once

#include <string>

#include "d2l/tensor.h"

namespace d2l::detail {

/// What a tensor's text says about differentiation.
struct PrintFlags {
  bool requires_grad = false;
  std::string grad_fn;  ///< "AddBackward0"; when it is not empty it is shown and requires_grad is not
};

/// `tensor([[1., 1.]], device='cuda:0')`; from a GPU one implicit copy of the elements shown and a synchronisation.
std::string format_tensor(const Tensor& tensor, const PrintFlags& flags = {});

}  // namespace d2l::detail
