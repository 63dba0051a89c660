// SPDX-License-Identifier: MIT
// torch.no_grad, torch.autograd.grad and their like.
#include "python_subset/gradients.h"

#include "core/tensor_impl.h"

namespace python_subset {
namespace {

using d2l::Tensor;

std::vector<Tensor> gradients_or_none(const std::optional<Value>& value) {
  if (!value || value->is<None>()) return {};
  if (value->is<Tensor>()) return {value->as<Tensor>()};
  std::vector<Tensor> tensors;
  for (const auto& item : items_of(*value)) tensors.push_back(item.is<None>() ? Tensor() : to_tensor(item));
  return tensors;
}

std::vector<Tensor> one_or_more(const Value& value) { return to_tensors(value); }

bool keeps_graph(Arguments& a) {
  const auto value = a.take("retain_graph");
  return value && !value->is<None>() && truth(*value);
}

Value grad(Arguments& a) {
  const auto outputs = one_or_more(a.require("outputs"));
  const auto inputs = one_or_more(a.require("inputs"));
  const auto gradients = gradients_or_none(a.take("grad_outputs"));
  const bool keeps = keeps_graph(a);
  Sequence results{SequenceKind::tuple, {}};
  for (const auto& result : d2l::autograd::grad(outputs, inputs, gradients, keeps, a.flag_or("allow_unused", false))) {
    results.items.push_back(result.defined() ? Value(result) : Value(None{}));
  }
  return results;
}

Value backward(Arguments& a) {
  const auto tensors = one_or_more(a.require("tensors"));
  const auto gradients = gradients_or_none(a.take("grad_tensors"));
  d2l::autograd::backward(tensors, gradients, keeps_graph(a));
  return None{};
}

GradientScope set_enabled(Arguments& a) {
  const bool before = d2l::GradMode::is_enabled();
  const bool enabled = truth(a.require("mode"));
  d2l::GradMode::set_enabled(enabled);
  return {enabled, before};
}

}  // namespace

std::string type_of_tensor(const Tensor& tensor) {
  if (d2l::nn::is_uninitialized(tensor)) return "UninitializedParameter";
  return tensor.impl()->parameter == d2l::detail::ParameterState::parameter ? "Parameter" : "Tensor";
}

std::optional<Value> call_gradient_function(Arguments& a) {
  const auto& name = a.function();
  if (name == "torch.no_grad") return GradientScope{false, std::nullopt};
  if (name == "torch.enable_grad") return GradientScope{true, std::nullopt};
  if (name == "torch.set_grad_enabled") return set_enabled(a);
  if (name == "torch.is_grad_enabled") return d2l::GradMode::is_enabled();
  if (name == "torch.autograd.grad") return grad(a);
  if (name == "torch.autograd.backward") return backward(a);
  return std::nullopt;
}

}  // namespace python_subset
