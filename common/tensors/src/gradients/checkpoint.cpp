// SPDX-License-Identifier: MIT
#include "d2l/checkpoint.h"

#include <algorithm>
#include <memory>

#include "autocast/casts.h"
#include "autograd/recording.h"
#include "core/messages.h"
#include "d2l/autograd.h"
#include "ops/random_state.h"

namespace d2l::detail {

namespace {

constexpr const char* checkpoint_name = "CheckpointFunctionBackward";

/// Restores the random numbers that follow.
class RandomStateGuard : NonCopyable {
 public:
  explicit RandomStateGuard(const RandomState& state) : before_(random_state()) { set_random_state(state); }
  ~RandomStateGuard() { set_random_state(before_); }

 private:
  RandomState before_;
};

/// A call that backward() repeats.
struct Recomputed final : CustomOperation {
  void differentiate(std::vector<Tensor> grads, Gradients& results) override {
    if (needed_receivers != nullptr) {
      fail<ValueError>("backward",
                       "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an "
                       "`inputs` parameter to .backward().",
                       {}, "call backward(), or leave out checkpoint()");
    }
    if (function == nullptr) fail_released();
    std::vector<Tensor> leaves;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i].tensor.defined()) {
        leaves.emplace_back();
        continue;
      }
      Tensor leaf = alias_of(*checked(inputs[i]).impl());
      if (operation->inputs[i].wanted) leaf.set_requires_grad(true);
      leaves.push_back(std::move(leaf));
    }
    std::vector<Tensor> outputs;
    {
      const AutoGradMode recorded(true);
      const RandomStateGuard again(state);
      const AutocastAgain dtypes(autocast);
      outputs = function(leaves);
    }
    std::vector<Tensor> roots;
    std::vector<Tensor> gradients;
    for (std::size_t i = 0; i < outputs.size() && i < grads.size(); ++i) {
      if (!grads[i].defined() || !outputs[i].defined() || !wants_gradient(*outputs[i].impl())) continue;
      roots.push_back(outputs[i]);
      gradients.push_back(grads[i]);
    }
    outputs.clear();
    if (!roots.empty()) autograd::backward(roots, gradients);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (leaves[i].defined()) results[i] = leaves[i].grad();
    }
  }

  void release_saved() noexcept override {
    inputs.clear();
    function = nullptr;
  }

  Recomputation function;
  std::vector<SavedTensor> inputs;
  RandomState state;
  AutocastState autocast;
  const RecordedOperation* operation = nullptr;
};

/// A result with the call as its history.
Tensor with_history(const Tensor& output, const Record& call, std::size_t index, bool is_only_one,
                    const std::vector<Tensor>& inputs) {
  const bool is_input = std::ranges::any_of(inputs, [&](const Tensor& x) { return x.defined() && x.is_same(output); });
  const TensorImpl& impl = *output.impl();
  Tensor result = is_input || wants_gradient(impl) ? alias_of(impl) : output;
  if (!isFloatingType(impl.dtype)) return result;
  Record history = call;
  if (!is_only_one) {
    history = std::make_shared<RecordedOperation>(Recorded::CustomOutput);
    Edge edge(call, impl);
    edge.output = index;
    history->inputs.push_back(std::move(edge));
    history->own_name = checkpoint_name;
  }
  attach(result, std::move(history));
  return result;
}

}  // namespace

std::vector<Tensor> recomputed(const Recomputation& function, const std::vector<Tensor>& inputs) {
  if (!grad_mode) return function(inputs);
  auto repeated = std::make_unique<Recomputed>();
  repeated->function = function;
  repeated->state = random_state();
  repeated->autocast = autocast_state;
  std::vector<Edge> edges;
  for (const Tensor& input : inputs) {
    if (input.defined()) impl_of(input, "checkpoint");
    edges.push_back(input.defined() ? edge_of(input) : Edge());
    repeated->inputs.push_back(input.defined() ? saved_tensor(input) : SavedTensor());
  }
  auto call = std::make_shared<RecordedOperation>(Recorded::CustomFunction);
  call->inputs = std::move(edges);
  call->own_name = checkpoint_name;
  repeated->operation = call.get();
  call->custom = std::move(repeated);
  std::vector<Tensor> outputs = unrecorded([&] { return function(inputs); });
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].defined()) outputs[i] = with_history(outputs[i], call, i, outputs.size() == 1, inputs);
  }
  return outputs;
}

}  // namespace d2l::detail
