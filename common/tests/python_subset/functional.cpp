// SPDX-License-Identifier: MIT
// torch.nn.functional, by its Python names.
#include <array>

#include "python_subset/evaluator.h"
#include "python_subset/modules.h"

namespace python_subset {
namespace {

using d2l::Tensor;

constexpr std::array<const char*, 3> of_one_tensor{"relu", "sigmoid", "tanh"};

Value linear(Arguments& a) {
  const Tensor input = to_tensor(a.require("input"));
  const Tensor weight = to_tensor(a.require("weight"));
  const auto bias = a.take("bias");
  return d2l::linear(input, weight, bias && !bias->is<None>() ? to_tensor(*bias) : Tensor());
}

Value log_softmax(Arguments& a) {
  const Tensor input = to_tensor(a.require("input"));
  return input.log_softmax(to_integer(a.require("dim")));
}

Value mse_loss(Arguments& a) {
  const Tensor input = to_tensor(a.require("input"));
  const Tensor target = to_tensor(a.require("target"));
  return d2l::mse_loss(input, target, take_reduction(a));
}

Value cross_entropy(Arguments& a) {
  const Tensor input = to_tensor(a.require("input"));
  const Tensor target = to_tensor(a.require("target"));
  if (input.sizes().vec() == target.sizes().vec() && target.is_floating_point()) {
    throw Unsupported("cross_entropy with probabilities");
  }
  const auto ignored = a.take_named("ignore_index");
  return d2l::cross_entropy_loss(input, target, take_reduction(a), ignored ? to_integer(*ignored) : -100);
}

}  // namespace

Value call_functional(Arguments& a) {
  const std::string full = a.function();
  const std::string name = full.substr(full.rfind('.') + 1);
  if (name == "linear") return linear(a);
  if (name == "log_softmax") return log_softmax(a);
  if (name == "mse_loss") return mse_loss(a);
  if (name == "cross_entropy") return cross_entropy(a);
  for (const char* known : of_one_tensor) {
    if (name != known) continue;
    const Tensor input = to_tensor(a.require("input"));
    a.rename(name);
    return call_tensor_method(input, a);
  }
  throw Unsupported(full);
}

}  // namespace python_subset
