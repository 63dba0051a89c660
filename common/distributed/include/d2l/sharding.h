// SPDX-License-Identifier: MIT
/// @file
/// Sharded training: each rank keeps a part of the parameters, gradients and optimizer state, with PyTorch's names.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "d2l/distributed/process_group.h"
#include "d2l/nn/module.h"
#include "d2l/nn/module_holder.h"
#include "d2l/optim/optimizer.h"
#include "d2l/ordered_dict.h"
#include "d2l/tensor.h"

namespace d2l::distributed {

/// The options of fully_shard().
struct FullyShardOptions {
  /// Whether the full parameters are released after forward() and gathered again for backward() (ZeRO 3); if not, they
  /// stay until their gradients are there (ZeRO 2). Unless set, true except for the module that contains the others.
  std::optional<bool> reshard_after_forward = std::nullopt;
  ProcessGroup process_group = {};  ///< the group of all processes unless set
};

/// Shards the parameters of a module, in place, along their first dimension: rank r keeps rows r × c to (r + 1) × c,
/// with c the rounded-up quotient of rows and ranks, so the last ranks may have fewer, or none. Parameters of inner
/// modules that are sharded already are left out: call it for the inner modules first.
///
/// The full parameters are gathered before forward() of the module, if it is called as `module(x)` or in a Sequential,
/// not as `module->forward(x)`; and before its backward(). As soon as the gradient of a parameter is complete, it is
/// averaged over the ranks, each rank keeps its rows of it, and the full parameter is released. Between steps,
/// parameters() and their gradients are the rows of this rank, so an optimizer that is made afterwards keeps the state
/// of these rows alone. The parameters and buffers of rank 0 are copied to all ranks first.
///
/// ValueError for a module that is sharded already, for a parameter without a shape, for a scalar parameter, and in
/// forward() for a parameter that was moved or converted afterwards;
/// DistributedError if the ranks' parameters differ in number, shape or dtype.
void fully_shard(nn::Module& module, const FullyShardOptions& options = {});
///@{
/// The same for a shared module, which it returns, and for a holder.
template <std::derived_from<nn::Module> M>
std::shared_ptr<M> fully_shard(const std::shared_ptr<M>& module, const FullyShardOptions& options = {}) {
  fully_shard(*module, options);
  return module;
}
template <class M>
void fully_shard(const nn::ModuleHolder<M>& module, const FullyShardOptions& options = {}) {
  fully_shard(*module, options);
}
///@}
/// Whether fully_shard() was called for the module.
[[nodiscard]] bool is_fully_sharded(const nn::Module& module);

/// The options of get_model_state_dict() and the functions beside it.
struct StateDictOptions {
  /// Whether tensors are gathered, and the same for any number of ranks; if not, they are the rows of this rank.
  bool full_state_dict = false;
  /// Whether gathered tensors are on the CPU, and on rank 0 alone: other ranks get an empty dictionary.
  bool cpu_offload = false;
};

/// The parameters and buffers by name, of a module with fully_shard() or not. All ranks must call it if
/// full_state_dict is set. Errors of all_gather_into_tensor().
[[nodiscard]] StateDict get_model_state_dict(nn::Module& module, const StateDictOptions& options = {});
/// Copies such a dictionary into the module; with full_state_dict each rank takes its rows of the full tensors, which
/// all ranks give. ShapeError for a full tensor of another shape; ValueError as Module::load_state_dict().
void set_model_state_dict(nn::Module& module, const StateDict& state, const StateDictOptions& options = {});
/// What an optimizer keeps for the parameters of a module, by names such as "0.weight.exp_avg", and the numbers of
/// steps, "0.weight.step". All ranks must call it if full_state_dict is set. ValueError for a parameter that is not one
/// of the optimizer.
[[nodiscard]] StateDict get_optimizer_state_dict(nn::Module& module, optim::Optimizer& optimizer,
                                                 const StateDictOptions& options = {});
/// Sets what the optimizer keeps; with full_state_dict each rank takes its rows. ValueError for a name that is not one
/// of the module's, ShapeError for another shape.
void set_optimizer_state_dict(nn::Module& module, optim::Optimizer& optimizer, const StateDict& state,
                              const StateDictOptions& options = {});

}  // namespace d2l::distributed

namespace d2l::detail {

/// Which rank changes which parameters: the largest parameters first, each by the rank that has the fewest elements
/// yet.
class OptimizerShares {
 public:
  /// ValueError if there are no parameters.
  OptimizerShares(std::vector<Tensor> params, distributed::ProcessGroup group);
  /// The parameters of each rank.
  [[nodiscard]] const std::vector<std::vector<Tensor>>& parts() const noexcept { return parts_; }
  /// Those of this rank.
  [[nodiscard]] std::vector<Tensor> own() const;
  /// Copies each parameter from its rank to all others.
  void broadcast() const;
  void zero_grad(bool set_to_none) const;

 private:
  std::vector<std::vector<Tensor>> parts_;
  std::vector<std::pair<Tensor, int>> owners_;  ///< in the order of the parameters
  distributed::ProcessGroup group_;
};

}  // namespace d2l::detail

namespace d2l::distributed {

/// An optimizer whose state is divided between the ranks (ZeRO 1): each rank changes some parameters, as whole tensors,
/// and sends them to the others. The gradients must be the same on all ranks, as with DistributedDataParallel.
/// `ZeroRedundancyOptimizer<optim::Adam> optimizer(model->parameters(), optim::AdamOptions(0.01));`
template <std::derived_from<optim::Optimizer> Base>
class ZeroRedundancyOptimizer : public Base {
 public:
  /// Divides parameters that are the same on all ranks. ValueError if there are none, and for invalid options.
  template <class Options>
  explicit ZeroRedundancyOptimizer(std::vector<Tensor> params, const Options& defaults = {}, ProcessGroup group = {})
      : ZeroRedundancyOptimizer(d2l::detail::OptimizerShares(std::move(params), std::move(group)), defaults) {}

  /// Changes the parameters of this rank, and copies each parameter from the rank that has changed it. All ranks must
  /// call it; DistributedError as broadcast().
  void step() override {
    Base::step();
    shares_.broadcast();
  }
  /// Of all parameters, not only of those of this rank.
  void zero_grad(bool set_to_none = false) override { shares_.zero_grad(set_to_none); }
  /// The parameters that each rank changes.
  [[nodiscard]] const std::vector<std::vector<Tensor>>& partition() const noexcept { return shares_.parts(); }

 private:
  template <class Options>
  ZeroRedundancyOptimizer(d2l::detail::OptimizerShares shares, const Options& defaults)
      : Base(std::vector<optim::OptimizerParamGroup>{optim::OptimizerParamGroup(shares.own())}, defaults),
        shares_(std::move(shares)) {}

  d2l::detail::OptimizerShares shares_;
};

}  // namespace d2l::distributed
