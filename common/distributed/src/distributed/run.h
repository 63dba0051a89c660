// SPDX-License-Identifier: MIT
// Begins collectives of several processes on the thread of their group.
#pragma once

#include <functional>
#include <vector>

#include "d2l/distributed/collectives.h"
#include "distributed/group.h"

namespace d2l::distributed::detail {

/// What happens around the engine's work.
struct Around {
  std::function<void()> before;  ///< on the thread of the group; it may wait for a device
  std::function<void()> after;   ///< in Work::wait()
};

/// Begins a collective: the ranks compare their calls, then each does `work`.
Work run(GroupState& state, Call call, std::function<void(Engine&)> work, Around around);
/// The call of a collective with a tensor such as this one.
Call call_of(Collective collective, const Tensor& tensor, ReduceOp op = ReduceOp::SUM, int root = -1);

///@{
/// The collectives of one tensor a process, whose arguments are checked, for processes with so many devices.
/// Work::wait() calls `then` at the end.
Work all_reduce_then(GroupState& state, const Tensor& tensor, ReduceOp op, int devices, std::function<void()> then);
Work broadcast_then(GroupState& state, const Tensor& tensor, int src, int devices, std::function<void()> then);
Work reduce_then(GroupState& state, const Tensor& tensor, int dst, ReduceOp op, int devices,
                 std::function<void()> then);
Work all_gather_then(GroupState& state, const std::vector<Tensor>& outputs, const Tensor& input, int devices,
                     std::function<void()> then);
Work reduce_scatter_then(GroupState& state, const Tensor& output, const std::vector<Tensor>& inputs, ReduceOp op,
                         int devices, std::function<void()> then);
///@}

}  // namespace d2l::distributed::detail
