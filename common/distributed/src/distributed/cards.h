// SPDX-License-Identifier: MIT
// Collectives on the cards of a group, by NCCL. Tensors go from card to card, and the engine of the group only compares
// the calls of the processes.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/card_collectives.h"
#include "d2l/distributed/reduce_op.h"
#include "d2l/distributed/work.h"
#include "d2l/tensor.h"
#include "distributed/engine/engine.h"

namespace d2l::distributed::detail {

class GroupState;

/// The cards of a group that NCCL has joined.
struct Cards {
  std::shared_ptr<backend::CardGroup> group;
  std::vector<Device> devices;  ///< of this process
  int count = 0;                ///< of all processes, which have the same number each
  std::chrono::milliseconds timeout{};

  /// Whether the tensors are one on each of the devices, in order.
  [[nodiscard]] bool have(const std::vector<Tensor>& tensors) const;
};

/// Joins the cards of the processes of `engine`, or of this process if it is null. All processes get the same result:
/// null, with the reason in `obstacle`, if NCCL cannot be used.
std::unique_ptr<Cards> join_cards(Engine* engine, const std::vector<Device>& devices, std::chrono::milliseconds timeout,
                                  std::string& obstacle);
/// Whether to try NCCL when no backend is named. It may differ between processes if `processes` is 1 only.
bool prefers_cards(int processes, const std::vector<Device>& devices);

///@{
/// The collectives with a tensor on each card of this process; roots are numbers of cards in the group.
Work all_reduce_on_cards(GroupState& state, const std::vector<Tensor>& tensors, ReduceOp op);
Work broadcast_on_cards(GroupState& state, const std::vector<Tensor>& tensors, int root);
Work reduce_on_cards(GroupState& state, const std::vector<Tensor>& tensors, int root, ReduceOp op);
Work all_gather_on_cards(GroupState& state, const std::vector<std::vector<Tensor>>& outputs,
                         const std::vector<Tensor>& inputs);
Work reduce_scatter_on_cards(GroupState& state, const std::vector<Tensor>& outputs,
                             const std::vector<std::vector<Tensor>>& inputs, ReduceOp op);
///@}

}  // namespace d2l::distributed::detail
