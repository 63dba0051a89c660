// SPDX-License-Identifier: MIT
#include "sharding/sharded_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "autograd/recording.h"
#include "base/message.h"
#include "d2l/nn/parameter.h"
#include "parallel/same_on_all_ranks.h"

namespace d2l {

namespace detail {

namespace {

/// The sharded modules whose forward() this thread is in.
thread_local int depth = 0;

/// A record behind the result of a module: backward() comes to it before it comes to the module.
class BeforeBackward : public CustomOperation {
 public:
  explicit BeforeBackward(const std::shared_ptr<ShardedModule>& module) : module_(module) {}
  void differentiate(std::vector<Tensor> grads, Gradients& results) override {
    if (const auto module = module_.lock()) module->before_backward();
    results[0] = std::move(grads[0]);
  }
  void release_saved() noexcept override {}

 private:
  std::weak_ptr<ShardedModule> module_;
};

}  // namespace

void ShardedModule::gather() {
  for (const auto& parameter : parameters_) parameter->begin_gather();
  for (const auto& parameter : parameters_) parameter->finish_gather();
}

void ShardedModule::reshard() {
  for (const auto& parameter : parameters_) parameter->reshard();
}

void ShardedModule::before_forward() {
  if (goes_backward_ && !is_going_backward()) end_backward();  // an error has ended the last one
  if (!reshards_after_forward_) reshards_after_forward_ = depth > 0;
  gather();
  ++depth;
}

Tensor ShardedModule::after_forward(Tensor result) {
  if (!result.defined()) {
    fail<ValueError>("fully_shard", "forward() of the module does not return a tensor", {},
                     "shard the modules in it instead");
  }
  --depth;
  if (*reshards_after_forward_ || !grad_mode) reshard();
  if (!is_recorded(result)) return result;
  auto operation = record(Recorded::CustomFunction, {&result});
  operation->own_name = "FullyShardBackward";
  operation->custom = std::make_unique<BeforeBackward>(shared_from_this());
  Tensor shown = alias_of(*result.impl());
  attach(shown, std::move(operation));
  return shown;
}

void ShardedModule::forward_failed() noexcept { depth = std::max(depth - 1, 0); }

void ShardedModule::before_backward() {
  if (!std::exchange(goes_backward_, true)) {
    for (const auto& parameter : parameters_) parameter->begin_backward();
    call_after_backward([own = weak_from_this()] {
      if (const auto module = own.lock()) module->end_backward();
    });
  }
  gather();
}

void ShardedModule::end_backward() {
  goes_backward_ = false;
  for (const auto& parameter : parameters_) parameter->end_backward();
}

std::shared_ptr<ShardedModule> sharded_module(const nn::Module& module) {
  return std::dynamic_pointer_cast<ShardedModule>(module.forward_hook());
}

std::vector<std::shared_ptr<ShardedModule>> sharded_modules(nn::Module& module) {
  std::vector<std::shared_ptr<ShardedModule>> found;
  module.apply([&](nn::Module& inner) {
    auto sharded = sharded_module(inner);
    if (sharded == nullptr || std::find(found.begin(), found.end(), sharded) != found.end()) return;
    sharded->reshard();
    found.push_back(std::move(sharded));
  });
  return found;
}

}  // namespace detail

namespace distributed {

void fully_shard(nn::Module& module, const FullyShardOptions& options) {
  using d2l::detail::fail;
  if (is_fully_sharded(module)) {
    fail<ValueError>("fully_shard", "fully_shard() was called for this module before",
                     fmt::format("({})", module.name()), "call it once for each module, for inner modules first");
  }
  std::unordered_set<const d2l::detail::TensorImpl*> of_inner;
  for (const auto& inner : d2l::detail::sharded_modules(module)) {
    for (const auto& parameter : inner->parameters()) of_inner.insert(parameter->parameter().impl().get());
  }
  std::vector<std::pair<std::string, Tensor>> own;
  std::vector<Tensor> tensors;
  for (const auto& item : module.named_parameters()) {
    if (of_inner.contains(item.value().impl().get())) continue;
    if (nn::is_uninitialized(item.value())) {
      fail<ValueError>("fully_shard", "a parameter has no shape yet",
                       fmt::format("({} of {})", item.key(), module.name()), "call the module once on a batch first");
    }
    own.emplace_back(item.key(), item.value());
    tensors.push_back(item.value());
  }
  for (const Tensor& buffer : module.buffers()) tensors.push_back(buffer);
  d2l::detail::check_alike("fully_shard", "parameters or buffers", tensors, options.process_group);
  d2l::detail::broadcast_all(tensors, options.process_group);
  std::vector<std::unique_ptr<d2l::detail::ShardedParameter>> parameters;
  for (const auto& [name, parameter] : own) {
    parameters.push_back(std::make_unique<d2l::detail::ShardedParameter>(parameter, name, options.process_group));
  }
  module.set_forward_hook(
      std::make_shared<d2l::detail::ShardedModule>(std::move(parameters), options.reshard_after_forward));
}

bool is_fully_sharded(const nn::Module& module) { return d2l::detail::sharded_module(module) != nullptr; }

}  // namespace distributed

}  // namespace d2l
