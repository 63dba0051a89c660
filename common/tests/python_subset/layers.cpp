// SPDX-License-Identifier: MIT
// torch.nn besides the methods of modules: layers, functions, parameters, initial values and clipping.
#include "python_subset/binding.h"

namespace python_subset {
namespace {

using d2l::Tensor;
using Integer = std::int64_t;
namespace nn = d2l::nn;

nn::LinearOptions with_place(nn::LinearOptions options, bool bias, const d2l::Device& device,
                             std::optional<d2l::ScalarType> dtype) {
  return options.bias(bias).device(device).dtype(dtype.value_or(d2l::kFloat));
}

void add_part(nn::SequentialImpl& sequential, const std::string& name, const Value& part) {
  const auto module = to<ModulePointer>(part);
  name.empty() ? sequential.push_back(module) : sequential.push_back(name, module);
}

Value sequential(Arguments& a) {
  const auto module = std::make_shared<nn::SequentialImpl>();
  if (a.peek() != nullptr && a.peek()->is<Dictionary>()) {
    const auto dictionary = a.require<Dictionary>("modules");
    for (const auto& [name, part] : *dictionary.items) add_part(*module, name, part);
  }
  while (a.left() > 0) add_part(*module, "", a.require("module"));
  return module;
}

Tensor cross_entropy(const Tensor& input, const Tensor& target, const Keyword<std::string>& reduction,
                     const Keyword<Integer>& ignored) {
  if (input.sizes().vec() == target.sizes().vec() && target.is_floating_point()) {
    throw Unsupported("cross_entropy with probabilities");
  }
  return d2l::cross_entropy_loss(input, target, nn::LossReduction(reduction.value_or("mean")).kind(),
                                 ignored.value_or(-100));
}

Tensor clip_grad_norm(const Value& parameters, double max_norm, std::optional<double> norm_type, bool refuses) {
  const double order = norm_type.value_or(2);
  return parameters.is<Tensor>()
             ? nn::utils::clip_grad_norm_(parameters.as<Tensor>(), max_norm, order, refuses).tensor()
             : nn::utils::clip_grad_norm_(to_tensors(parameters), max_norm, order, refuses).tensor();
}

}  // namespace

Table layers() {
  Table table{
      def("torch.nn.Linear(in_features, out_features, bias, device, dtype)",
          [](Integer inputs, Integer outputs, OrTrue bias, const Where& device, std::optional<d2l::ScalarType> dtype) {
            const nn::LinearOptions options(inputs, outputs);
            return std::make_shared<nn::LinearImpl>(with_place(options, bias.value, device, dtype));
          }),
      def("torch.nn.LazyLinear(out_features, bias, device, dtype)",
          [](Integer outputs, OrTrue bias, const Where& device, std::optional<d2l::ScalarType> dtype) {
            const nn::LazyLinearOptions options(outputs);
            return std::make_shared<nn::LazyLinearImpl>(with_place(options, bias.value, device, dtype));
          }),
      def("torch.nn.Sequential", sequential),
      def("torch.nn.ReLU(inplace)",
          [](bool inplace) { return std::make_shared<nn::ReLUImpl>(nn::ReLUOptions(inplace)); }),
      def("torch.nn.Flatten(start_dim, end_dim)",
          [](std::optional<Integer> start, std::optional<Integer> end) {
            nn::FlattenOptions options;
            return std::make_shared<nn::FlattenImpl>(options.start_dim(start.value_or(1)).end_dim(end.value_or(-1)));
          }),
      def("torch.nn.MSELoss(reduction)",
          [](const Keyword<std::string>& reduction) {
            return std::make_shared<nn::MSELossImpl>(nn::MSELossOptions().reduction(reduction.value_or("mean")));
          }),
      def("torch.nn.CrossEntropyLoss(ignore_index, reduction)",
          [](Keyword<Integer> ignored, const Keyword<std::string>& reduction) {
            nn::CrossEntropyLossOptions options;
            options.ignore_index(ignored.value_or(-100)).reduction(reduction.value_or("mean"));
            return std::make_shared<nn::CrossEntropyLossImpl>(options);
          }),
      def("torch.nn.Module()", [] { return std::make_shared<nn::Module>(); }),
      def("torch.nn.Parameter(data, requires_grad)",
          [](const Tensor& data, OrTrue wanted) { return nn::Parameter(data, wanted.value); }),
      def("torch.nn.UninitializedParameter(requires_grad)",
          [](Keyword<bool> wanted, const Placed& options) {
            return nn::UninitializedParameter(options, wanted.value_or(true));
          }),
      def("torch.nn.functional.linear(input, weight, bias)",
          [](const Tensor& input, const Tensor& weight, const MaybeTensor& bias) {
            return d2l::linear(input, weight, bias);
          }),
      def("torch.nn.functional.mse_loss(input, target, reduction)",
          [](const Tensor& input, const Tensor& target, const Keyword<std::string>& reduction) {
            return d2l::mse_loss(input, target, nn::LossReduction(reduction.value_or("mean")).kind());
          }),
      def("torch.nn.functional.cross_entropy(input, target, reduction, ignore_index)", cross_entropy),
      def("torch.nn.utils.clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite)", clip_grad_norm),
      def("torch.nn.init.zeros_(tensor)", [](const Tensor& x) { return nn::init::zeros_(x); }),
      def("torch.nn.init.ones_(tensor)", [](const Tensor& x) { return nn::init::ones_(x); }),
      def("torch.nn.init.constant_(tensor, val)",
          [](const Tensor& x, d2l::Scalar value) { return nn::init::constant_(x, value); }),
      def("torch.nn.init.uniform_(tensor, a, b)",
          [](const Tensor& x, std::optional<double> low, std::optional<double> high) {
            return nn::init::uniform_(x, low.value_or(0), high.value_or(1));
          }),
      def("torch.nn.init.normal_(tensor, mean, std)",
          [](const Tensor& x, std::optional<double> mean, std::optional<double> std) {
            return nn::init::normal_(x, mean.value_or(0), std.value_or(1));
          }),
      def("torch.nn.init.kaiming_uniform_(tensor, a)",
          [](const Tensor& x, std::optional<double> slope) {
            return nn::init::kaiming_uniform_(x, slope.value_or(0));
          }),
  };
  for (const std::string name : {"Parameter", "UninitializedParameter"}) {
    table.emplace("torch.nn.parameter." + name, table.at("torch.nn." + name));
  }
  const auto methods = tensor_methods();
  for (const std::string name : {"relu", "sigmoid", "tanh", "log_softmax"}) {
    table.emplace("torch.nn.functional." + name, methods.at("Tensor." + name));
  }
  return table;
}

}  // namespace python_subset
