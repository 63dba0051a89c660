// SPDX-License-Identifier: MIT
// ShardedModule: what fully_shard() does around the calls of a module.
#pragma once

#include <memory>
#include <vector>

#include "d2l/nn/module.h"
#include "d2l/sharding.h"
#include "sharding/sharded_parameter.h"

namespace d2l::detail {

class ShardedModule : public ForwardHook, public std::enable_shared_from_this<ShardedModule>, NonCopyable {
 public:
  ShardedModule(std::vector<std::unique_ptr<ShardedParameter>> parameters, std::optional<bool> reshard_after_forward)
      : parameters_(std::move(parameters)), reshards_after_forward_(reshard_after_forward) {}

  void before_forward() override;
  Tensor after_forward(Tensor result) override;
  void forward_failed() noexcept override;
  /// When the gradient of a result of the module is there.
  void before_backward();
  /// Releases the rows of other ranks.
  void reshard();
  [[nodiscard]] const std::vector<std::unique_ptr<ShardedParameter>>& parameters() const { return parameters_; }

 private:
  void gather();
  void end_backward();

  std::vector<std::unique_ptr<ShardedParameter>> parameters_;
  std::optional<bool> reshards_after_forward_;
  bool goes_backward_ = false;
};

/// What fully_shard() made of a module; null if it was not called.
std::shared_ptr<ShardedModule> sharded_module(const nn::Module& module);
/// Of the modules in a module, and of itself, with the rows of other ranks released.
std::vector<std::shared_ptr<ShardedModule>> sharded_modules(nn::Module& module);

}  // namespace d2l::detail
