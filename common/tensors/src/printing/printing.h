// SPDX-License-Identifier: MIT
// The text of a tensor, as PyTorch prints it with default options.
#pragma once

#include <string>

#include "d2l/tensor.h"

namespace d2l::detail {

/// The suffix of a tensor's text that is about gradients.
struct PrintFlags {
  bool requires_grad = false;
  std::string grad_fn;  ///< "AddBackward0"; replaces requires_grad unless it is empty
};

/// `tensor([[1., 1.]], device='cuda:0')`; from a GPU, one implicit copy of the shown elements and a synchronisation.
std::string format_tensor(const Tensor& tensor, const PrintFlags& flags = {});

}  // namespace d2l::detail
