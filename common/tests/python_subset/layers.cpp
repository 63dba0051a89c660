// SPDX-License-Identifier: MIT
// Calls of torch.nn: new modules and parameters, initial values, clipping.
#include <functional>
#include <map>

#include "python_subset/modules.h"
#include "python_subset/optimizers.h"

namespace python_subset {
namespace {

using d2l::Tensor;
namespace nn = d2l::nn;

nn::LinearOptions placed(Arguments& a, nn::LinearOptions options, const d2l::Device& where) {
  const auto device = a.take("device");
  const auto dtype = a.take("dtype");
  options.device(device && !device->is<None>() ? to_device(*device) : where);
  if (dtype && !dtype->is<None>()) {
    if (!dtype->is<d2l::ScalarType>()) throw Unsupported("argument type");
    options.dtype(dtype->as<d2l::ScalarType>());
  }
  return options;
}

Value linear(Arguments& a, const d2l::Device& where) {
  const auto inputs = to_integer(a.require("in_features"));
  const auto outputs = to_integer(a.require("out_features"));
  const auto bias = a.take("bias");
  nn::LinearOptions options(inputs, outputs);
  options.bias(!bias || truth(*bias));
  return std::make_shared<nn::LinearImpl>(placed(a, options, where));
}

Value lazy_linear(Arguments& a, const d2l::Device& where) {
  nn::LazyLinearOptions options(to_integer(a.require("out_features")));
  const auto bias = a.take("bias");
  options.bias(!bias || truth(*bias));
  return std::make_shared<nn::LazyLinearImpl>(placed(a, options, where));
}

Value sequential(Arguments& a) {
  const auto module = std::make_shared<nn::SequentialImpl>();
  const auto add = [&](const std::string& name, const Value& part) {
    if (!part.is<ModulePointer>()) throw Unsupported("argument type");
    name.empty() ? module->push_back(part.as<ModulePointer>()) : module->push_back(name, part.as<ModulePointer>());
  };
  if (a.peek() != nullptr && a.peek()->is<Dictionary>()) {
    const Value dictionary = a.require("modules");
    for (const auto& [name, part] : *dictionary.as<Dictionary>().items) add(name, part);
  }
  while (a.left() > 0) add("", a.require("module"));
  return module;
}

Value relu(Arguments& a) {
  const auto inplace = a.take("inplace");
  return std::make_shared<nn::ReLUImpl>(nn::ReLUOptions(inplace && truth(*inplace)));
}

Value flatten(Arguments& a) {
  nn::FlattenOptions options;
  if (const auto start = a.take("start_dim")) options.start_dim(to_integer(*start));
  if (const auto end = a.take("end_dim")) options.end_dim(to_integer(*end));
  return std::make_shared<nn::FlattenImpl>(options);
}

Value cross_entropy_loss(Arguments& a) {
  nn::CrossEntropyLossOptions options;
  if (const auto ignored = a.take_named("ignore_index")) options.ignore_index(to_integer(*ignored));
  if (const auto reduction = a.take_named("reduction")) options.reduction(to_text(*reduction));
  return std::make_shared<nn::CrossEntropyLossImpl>(options);
}

Value mse_loss(Arguments& a) {
  nn::MSELossOptions options;
  if (const auto reduction = a.take_named("reduction")) options.reduction(to_text(*reduction));
  return std::make_shared<nn::MSELossImpl>(options);
}

Value parameter(Arguments& a) {
  const Tensor data = to_tensor(a.require("data"));
  const auto wanted = a.take("requires_grad");
  return nn::Parameter(data, !wanted || truth(*wanted));
}

Value uninitialized_parameter(Arguments& a, const d2l::Device& where) {
  const bool wanted = a.flag_or("requires_grad", true);
  const auto device = a.take_named("device");
  const auto dtype = a.take_named("dtype");
  d2l::TensorOptions options(device && !device->is<None>() ? to_device(*device) : where);
  if (dtype && dtype->is<d2l::ScalarType>()) options = options.dtype(dtype->as<d2l::ScalarType>());
  return nn::UninitializedParameter(options, wanted);
}

using Initializer = std::function<Tensor(const Tensor&, Arguments&)>;

double number_or(Arguments& a, const char* name, double otherwise) {
  const auto value = a.take(name);
  return value ? to_scalar(*value).toDouble() : otherwise;
}

const std::map<std::string, Initializer>& initializers() {
  static const std::map<std::string, Initializer> table{
      {"torch.nn.init.zeros_", [](const Tensor& x, Arguments&) { return nn::init::zeros_(x); }},
      {"torch.nn.init.ones_", [](const Tensor& x, Arguments&) { return nn::init::ones_(x); }},
      {"torch.nn.init.constant_",
       [](const Tensor& x, Arguments& a) { return nn::init::constant_(x, to_scalar(a.require("val"))); }},
      {"torch.nn.init.uniform_",
       [](const Tensor& x, Arguments& a) {
         const double low = number_or(a, "a", 0);
         return nn::init::uniform_(x, low, number_or(a, "b", 1));
       }},
      {"torch.nn.init.normal_",
       [](const Tensor& x, Arguments& a) {
         const double mean = number_or(a, "mean", 0);
         return nn::init::normal_(x, mean, number_or(a, "std", 1));
       }},
      {"torch.nn.init.kaiming_uniform_",
       [](const Tensor& x, Arguments& a) { return nn::init::kaiming_uniform_(x, number_or(a, "a", 0)); }},
  };
  return table;
}

}  // namespace

std::int64_t take_reduction(Arguments& a) {
  const auto given = a.take_named("reduction");
  return given ? nn::LossReduction(to_text(*given)).kind() : d2l::Reduction::Mean;
}

Value call_nn(Arguments& a, const d2l::Device& where) {
  const auto& name = a.function();
  if (name == "torch.nn.Linear") return linear(a, where);
  if (name == "torch.nn.LazyLinear") return lazy_linear(a, where);
  if (name == "torch.nn.Sequential") return sequential(a);
  if (name == "torch.nn.ReLU") return relu(a);
  if (name == "torch.nn.Flatten") return flatten(a);
  if (name == "torch.nn.MSELoss") return mse_loss(a);
  if (name == "torch.nn.CrossEntropyLoss") return cross_entropy_loss(a);
  if (name == "torch.nn.Module") return std::make_shared<nn::Module>();
  if (name == "torch.nn.Parameter" || name == "torch.nn.parameter.Parameter") return parameter(a);
  if (name == "torch.nn.UninitializedParameter" || name == "torch.nn.parameter.UninitializedParameter") {
    return uninitialized_parameter(a, where);
  }
  if (name == "torch.nn.utils.clip_grad_norm_") return clip_grad_norm(a);
  const auto found = initializers().find(name);
  if (found == initializers().end()) throw Unsupported(name);
  const Tensor tensor = to_tensor(a.require("tensor"));
  return found->second(tensor, a);
}

}  // namespace python_subset
