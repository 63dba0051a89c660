// SPDX-License-Identifier: MIT
// Collectives between the GPUs of one process: peer copies and operations in the queues of the devices. The host waits
// for none of them. Lists have a tensor on each device, of one shape and dtype.
#pragma once

#include <vector>

#include "d2l/distributed/reduce_op.h"
#include "d2l/tensor.h"

namespace d2l::distributed::local {

/// Each tensor becomes the join of all, around a ring: each of k devices sends 2(k - 1)/k of the elements.
void all_reduce(const std::vector<Tensor>& tensors, ReduceOp op);
/// Copies tensors[src] to the others, each from the one before it.
void broadcast(const std::vector<Tensor>& tensors, std::size_t src);
/// The join of all, a new tensor on the device of tensors[dst].
Tensor reduce(const std::vector<Tensor>& tensors, std::size_t dst, ReduceOp op);
/// to = the join of `to` and `from`, on one device; AVG adds.
void join(Tensor to, const Tensor& from, ReduceOp op);

}  // namespace d2l::distributed::local
