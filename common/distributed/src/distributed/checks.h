// SPDX-License-Identifier: MIT
// Checks of the arguments of collectives.
#pragma once

#include <vector>

#include "d2l/distributed/collectives.h"
#include "distributed/group.h"

namespace d2l::distributed::detail {

/// ValueError for an undefined tensor, and for one that is written and requires gradients outside of NoGradGuard.
void check_tensor(const Tensor& tensor, const char* operation, bool written);
/// ValueError unless there are `count` tensors, TypeError or ShapeError unless they are like `model`.
void check_list(const std::vector<Tensor>& tensors, int count, const Tensor& model, const char* operation,
                const char* name, bool written);
/// A contiguous tensor as a part like `model` for each rank; ValueError unless it is contiguous, TypeError for another
/// dtype, ShapeError for another number of elements.
std::vector<Tensor> parts_of(const Tensor& whole, int count, const Tensor& model, const char* operation,
                             const char* name);
/// TypeError for an average of integers or bools.
void check_op(ReduceOp op, const Tensor& tensor, const char* operation);
/// ValueError unless the group has this rank.
void check_rank(const GroupState& state, int rank, const char* operation, const char* name);
/// The same, and ValueError for a message to oneself and for a negative tag.
void check_partner(const GroupState& state, int rank, int tag, const char* operation, const char* name);
/// ValueError unless the group has another rank, and for a negative tag.
void check_any_partner(const GroupState& state, int tag, const char* operation);
/// ValueError unless the tensors are one on each of several devices, of the shape and dtype of the first.
void check_devices(const std::vector<Tensor>& tensors, const char* operation, bool written);

}  // namespace d2l::distributed::detail
