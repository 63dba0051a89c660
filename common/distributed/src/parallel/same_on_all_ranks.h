// SPDX-License-Identifier: MIT
// Tensors that are to be the same on all ranks.
#pragma once

#include <vector>

#include "d2l/distributed/process_group.h"
#include "d2l/tensor.h"

namespace d2l::detail {

/// DistributedError unless all ranks have as many tensors, of the same shapes and dtypes; `what` names them.
void check_alike(const char* operation, const char* what, const std::vector<Tensor>& tensors,
                 const distributed::ProcessGroup& group = {});
/// Copies the tensors of rank 0 to all ranks.
void broadcast_all(const std::vector<Tensor>& tensors, const distributed::ProcessGroup& group = {});

}  // namespace d2l::detail
