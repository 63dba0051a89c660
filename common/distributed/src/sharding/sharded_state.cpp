// SPDX-License-Identifier: MIT
// Dictionaries of the state of sharded modules and their optimizers.
#include <fmt/format.h>

#include <unordered_map>

#include "base/message.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"
#include "sharding/sharded_module.h"

namespace d2l::distributed {

namespace {

using d2l::detail::ShardedParameter;

/// The sharded parameters of a module, by their memory.
class Shards {
 public:
  explicit Shards(nn::Module& module) : modules_(d2l::detail::sharded_modules(module)) {
    for (const auto& sharded : modules_) {
      for (const auto& parameter : sharded->parameters()) {
        by_memory_[parameter->parameter().impl()->storage.get()] = parameter.get();
      }
    }
  }
  /// The sharded parameter that a tensor has the elements of; null if there is none.
  [[nodiscard]] const ShardedParameter* of(const Tensor& tensor) const {
    const auto found = by_memory_.find(tensor.impl()->storage.get());
    return found == by_memory_.end() ? nullptr : found->second;
  }

 private:
  std::vector<std::shared_ptr<d2l::detail::ShardedModule>> modules_;
  std::unordered_map<const d2l::detail::Storage*, const ShardedParameter*> by_memory_;
};

/// Adds a gathered tensor, where and how the options say.
void insert(StateDict& state, const std::string& name, const Tensor& full, const StateDictOptions& options) {
  if (!options.cpu_offload) {
    state.insert(name, full);
  } else if (get_rank() == 0) {
    state.insert(name, full.cpu());
  }
}

}  // namespace

StateDict get_model_state_dict(nn::Module& module, const StateDictOptions& options) {
  const Shards shards(module);
  const StateDict own = module.state_dict();
  if (!options.full_state_dict) return own;
  StateDict full;
  for (const auto& item : own) {
    const auto* const sharded = shards.of(item.value());
    insert(full, item.key(), sharded == nullptr ? item.value() : sharded->gathered(item.value()), options);
  }
  return full;
}

void set_model_state_dict(nn::Module& module, const StateDict& state, const StateDictOptions& options) {
  const Shards shards(module);
  if (!options.full_state_dict) {
    module.load_state_dict(state);
    return;
  }
  const StateDict own = module.state_dict();
  StateDict rows;
  for (const auto& item : state) {
    const Tensor* const mine = own.find(item.key());
    const auto* const sharded = mine == nullptr ? nullptr : shards.of(*mine);
    rows.insert(item.key(), sharded == nullptr ? item.value() : sharded->rows_of(item.value(), item.key()));
  }
  module.load_state_dict(rows);
}

StateDict get_optimizer_state_dict(nn::Module& module, optim::Optimizer& optimizer, const StateDictOptions& options) {
  const Shards shards(module);
  StateDict result;
  for (const auto& parameter : module.named_parameters()) {
    if (!parameter.value().requires_grad()) continue;
    const auto* const sharded = options.full_state_dict ? shards.of(parameter.value()) : nullptr;
    for (const auto& kept : optimizer.state(parameter.value())) {
      const std::string name = parameter.key() + "." + kept.key();
      if (options.full_state_dict) {
        insert(result, name, sharded == nullptr ? kept.value() : sharded->gathered(kept.value()), options);
      } else {
        result.insert(name, kept.value());
      }
    }
    const Tensor steps = full({1}, optimizer.steps(parameter.value()), kLong);
    insert(result, parameter.key() + ".step", steps,
           {options.full_state_dict, options.full_state_dict && options.cpu_offload});
  }
  return result;
}

void set_optimizer_state_dict(nn::Module& module, optim::Optimizer& optimizer, const StateDict& state,
                              const StateDictOptions& options) {
  const Shards shards(module);
  std::size_t used = 0;
  for (const auto& parameter : module.named_parameters()) {
    const std::string prefix = parameter.key() + ".";
    const auto* const sharded = options.full_state_dict ? shards.of(parameter.value()) : nullptr;
    StateDict own;
    std::int64_t steps = 0;
    for (const auto& item : state) {
      const bool is_own = item.key().starts_with(prefix) && item.key().find('.', prefix.size()) == std::string::npos;
      if (!is_own) continue;
      ++used;
      const std::string name = item.key().substr(prefix.size());
      if (name == "step") {
        steps = item.value().item<std::int64_t>();
      } else {
        own.insert(name, sharded == nullptr ? item.value() : sharded->rows_of(item.value(), item.key()));
      }
    }
    if (parameter.value().requires_grad()) optimizer.set_state(parameter.value(), own, steps);
  }
  if (used != state.size()) {
    d2l::detail::fail<ValueError>("set_optimizer_state_dict", "the module lacks parameters of the dictionary",
                                  fmt::format("({} of {} names are of it)", used, state.size()),
                                  "give what get_optimizer_state_dict() returned for such a module");
  }
}

}  // namespace d2l::distributed
