// SPDX-License-Identifier: MIT
// The module _d2l: graphs, layers, losses and initial values.
#include "golden/binding.h"

namespace golden {
namespace {

using d2l::Device;
using d2l::ScalarType;
using d2l::Tensor;
namespace nn = d2l::nn;
using ModulePointer = std::shared_ptr<nn::Module>;
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;
template <class Layer, class Base = nn::Module>
using LayerClass = py::class_<Layer, Base, std::shared_ptr<Layer>>;

template <class Value>
std::vector<std::pair<std::string, Value>> pairs_of(const d2l::OrderedDict<std::string, Value>& dictionary) {
  std::vector<std::pair<std::string, Value>> pairs;
  for (const auto& item : dictionary) pairs.emplace_back(item.key(), item.value());
  return pairs;
}

d2l::nn::LinearOptions placed(nn::LinearOptions options, bool bias, MaybeDevice device, MaybeDtype dtype) {
  return options.bias(bias).device(device.value_or(default_device)).dtype(dtype.value_or(d2l::kFloat));
}

const auto of_two = py::overload_cast<const Tensor&, const Tensor&>;

const char* name_of(d2l::Reduction::Reduction reduction) {
  if (reduction == d2l::Reduction::None) return "none";
  return reduction == d2l::Reduction::Mean ? "mean" : "sum";
}

std::shared_ptr<nn::SequentialImpl> sequential(const py::args& parts) {
  auto module = std::make_shared<nn::SequentialImpl>();
  if (parts.size() == 1 && py::isinstance<py::dict>(parts[0])) {
    for (const auto& [name, part] : parts[0].cast<py::dict>()) {
      module->push_back(name.cast<std::string>(), part.cast<ModulePointer>());
    }
  } else {
    for (const auto& part : parts) module->push_back(part.cast<ModulePointer>());
  }
  return module;
}

void bind_module(py::module_& m) {
  py::class_<nn::IncompatibleKeys>(m, "_IncompatibleKeys")
      .def_readonly("missing_keys", &nn::IncompatibleKeys::missing_keys)
      .def_readonly("unexpected_keys", &nn::IncompatibleKeys::unexpected_keys)
      .def("__repr__", [](const nn::IncompatibleKeys& keys) { return nn::repr(keys); });
  py::class_<nn::Module, ModulePointer>(m, "Module")
      .def(py::init([] { return std::make_shared<nn::Module>(); }))
      .def("__repr__", [](const nn::Module& module) { return nn::repr(module); })
      .def("forward", &nn::Module::forward, "input"_a)
      .def("_to", py::overload_cast<Device, ScalarType, bool>(&nn::Module::to))
      .def("_to", py::overload_cast<Device, bool>(&nn::Module::to))
      .def("_to", py::overload_cast<ScalarType, bool>(&nn::Module::to))
      .def("train", &nn::Module::train, "mode"_a = true)
      .def("eval", &nn::Module::eval)
      .def("zero_grad", &nn::Module::zero_grad, "set_to_none"_a = false)
      .def("_parameters", &nn::Module::parameters)
      .def("_named_parameters",
           [](const nn::Module& module, bool recurse) { return pairs_of(module.named_parameters(recurse)); })
      .def("_named_children", [](const nn::Module& module) { return pairs_of(module.named_children()); })
      .def("_state_dict", [](const nn::Module& module) { return pairs_of(module.state_dict()); })
      .def("_load_state_dict",
           [](nn::Module& module, const NamedTensors& items, bool strict) {
             d2l::StateDict dictionary;
             for (const auto& [key, value] : items) dictionary.insert(key, value);
             return module.load_state_dict(dictionary, strict);
           })
      .def("_clone", &nn::Module::clone)
      .def("_name", &nn::Module::name)
      .def_property_readonly("training", &nn::Module::is_training)
      .def("has_uninitialized_params", &nn::Module::has_uninitialized_params)
      .def("extra_repr", &nn::Module::extra_repr);
}

void bind_layers(py::module_& m) {
#define OPTION(Layer, name) def_property_readonly(#name, [](const nn::Layer& l) { return l.options.name(); })
#define REDUCTION(Layer) \
  def_property_readonly("reduction", [](const nn::Layer& l) { return name_of(l.options.reduction()); })
  const auto bias = "bias"_a = true;
  const auto device = "device"_a = py::none();
  const auto dtype = "dtype"_a = py::none();
  const auto reduction = "reduction"_a = "mean";
  const auto linear = [](Integer in, Integer out, bool with_bias, MaybeDevice where, MaybeDtype type) {
    return std::make_shared<nn::LinearImpl>(placed({in, out}, with_bias, where, type));
  };
  const auto lazy_linear = [](Integer out, bool with_bias, MaybeDevice where, MaybeDtype type) {
    return std::make_shared<nn::LazyLinearImpl>(placed(nn::LazyLinearOptions(out), with_bias, where, type));
  };
  const auto flatten = [](Integer start, Integer end) {
    return std::make_shared<nn::FlattenImpl>(nn::FlattenOptions().start_dim(start).end_dim(end));
  };
  const auto mse_loss = [](const std::string& kind) {
    return std::make_shared<nn::MSELossImpl>(nn::MSELossOptions().reduction(kind));
  };
  const auto cross_entropy_loss = [](const std::optional<Tensor>& weight, Integer ignored, const std::string& kind,
                                     double smoothing) {
    auto options = nn::CrossEntropyLossOptions().ignore_index(ignored).reduction(kind).label_smoothing(smoothing);
    if (weight) options.weight(*weight);
    return std::make_shared<nn::CrossEntropyLossImpl>(options);
  };
  LayerClass<nn::LinearImpl>(m, "Linear")
      .def(py::init(linear), "in_features"_a, "out_features"_a, bias, device, dtype)
      .def("reset_parameters", &nn::LinearImpl::reset_parameters)
      .def_property_readonly("weight", [](const nn::LinearImpl& l) { return l.weight; })
      .def_property_readonly("bias", [](const nn::LinearImpl& l) { return l.bias; })
      .OPTION(LinearImpl, in_features)
      .OPTION(LinearImpl, out_features);
  LayerClass<nn::LazyLinearImpl, nn::LinearImpl>(m, "LazyLinear")
      .def(py::init(lazy_linear), "out_features"_a, bias, device, dtype);
  LayerClass<nn::SequentialImpl>(m, "Sequential")
      .def(py::init(&sequential))
      .def("__len__", &nn::SequentialImpl::size)
      .def("_item", &nn::SequentialImpl::ptr)
      .def("_append", [](nn::SequentialImpl& s, const ModulePointer& module) { s.push_back(module); });
  LayerClass<nn::ReLUImpl>(m, "ReLU")
      .def(py::init([](bool inplace) { return std::make_shared<nn::ReLUImpl>(inplace); }), "inplace"_a = false)
      .OPTION(ReLUImpl, inplace);
  LayerClass<nn::FlattenImpl>(m, "Flatten")
      .def(py::init(flatten), "start_dim"_a = 1, "end_dim"_a = -1)
      .OPTION(FlattenImpl, start_dim)
      .OPTION(FlattenImpl, end_dim);
  LayerClass<nn::MSELossImpl>(m, "MSELoss")
      .def(py::init(mse_loss), py::kw_only(), reduction)
      .def("forward", of_two(&nn::MSELossImpl::forward, py::const_), "input"_a, "target"_a)
      .REDUCTION(MSELossImpl);
  LayerClass<nn::CrossEntropyLossImpl>(m, "CrossEntropyLoss")
      .def(py::init(cross_entropy_loss), "weight"_a = py::none(), py::kw_only(), "ignore_index"_a = -100, reduction,
           "label_smoothing"_a = 0.0)
      .def("forward", of_two(&nn::CrossEntropyLossImpl::forward, py::const_), "input"_a, "target"_a)
      .OPTION(CrossEntropyLossImpl, ignore_index)
      .REDUCTION(CrossEntropyLossImpl);
#undef OPTION
#undef REDUCTION
}

void bind_losses(py::module_& m) {
  const auto input = "input"_a;
  const auto target = "target"_a;
  const auto weight = "weight"_a = py::none();
  const auto reduction = "reduction"_a = "mean";
  const auto l1_loss = [](const Tensor& x, const Tensor& y, const std::string& kind) {
    return nn::functional::l1_loss(x, y, kind);
  };
  const auto smooth_l1_loss = [](const Tensor& x, const Tensor& y, const std::string& kind, double beta) {
    return nn::functional::smooth_l1_loss(x, y, kind, beta);
  };
  const auto huber_loss = [](const Tensor& x, const Tensor& y, const std::string& kind, double delta) {
    return d2l::huber_loss(x, y, nn::LossReduction(kind).kind(), delta);
  };
  const auto nll_loss = [](const Tensor& x, const Tensor& y, const MaybeTensor& weights, Integer ignored,
                           const std::string& kind) {
    return d2l::nll_loss(x, y, weights.value_or(Tensor()), nn::LossReduction(kind).kind(), ignored);
  };
  const auto logits = [](const Tensor& x, const Tensor& y, const MaybeTensor& weights, const std::string& kind,
                         const MaybeTensor& positive) {
    return d2l::binary_cross_entropy_with_logits(x, y, weights.value_or(Tensor()), positive.value_or(Tensor()),
                                                 nn::LossReduction(kind).kind());
  };
  const auto attention = [](const Tensor& q, const Tensor& k, const Tensor& v, const MaybeTensor& mask, double p,
                            bool is_causal, std::optional<double> scale) {
    return d2l::scaled_dot_product_attention(q, k, v, mask.value_or(Tensor()), p, is_causal, scale);
  };
  m.def("l1_loss", l1_loss, input, target, py::kw_only(), reduction);
  m.def("smooth_l1_loss", smooth_l1_loss, input, target, py::kw_only(), reduction, "beta"_a = 1.0);
  m.def("huber_loss", huber_loss, input, target, reduction, "delta"_a = 1.0);
  m.def("nll_loss", nll_loss, input, target, weight, py::kw_only(), "ignore_index"_a = -100, reduction);
  m.def("binary_cross_entropy_with_logits", logits, input, target, weight, py::kw_only(), reduction,
        "pos_weight"_a = py::none());
  m.def("scaled_dot_product_attention", attention, "query"_a, "key"_a, "value"_a, "attn_mask"_a = py::none(),
        "dropout_p"_a = 0.0, "is_causal"_a = false, "scale"_a = py::none());
}

void bind_layer_functions(py::module_& m) {
  const auto reduction = "reduction"_a = "mean";
  const auto linear = [](const Tensor& x, const Tensor& weight, const std::optional<Tensor>& bias) {
    return d2l::linear(x, weight, bias.value_or(Tensor()));
  };
  const auto mse_loss = [](const Tensor& x, const Tensor& y, const std::string& kind) {
    return nn::functional::mse_loss(x, y, kind);
  };
  const auto cross_entropy = [](const Tensor& x, const Tensor& y, const MaybeTensor& weight, const std::string& kind,
                                Integer ignored, double smoothing) {
    return d2l::cross_entropy_loss(x, y, weight.value_or(Tensor()), nn::LossReduction(kind).kind(), ignored, smoothing);
  };
  const auto clip_grad_norm = [](const std::vector<Tensor>& x, double max_norm, double norm_type, bool refuse) {
    return nn::utils::clip_grad_norm_(x, max_norm, norm_type, refuse).tensor();
  };
  m.def("parameter", &nn::Parameter);
  m.def("linear", linear, "input"_a, "weight"_a, "bias"_a = py::none());
  m.def("mse_loss", mse_loss, "input"_a, "target"_a, py::kw_only(), reduction);
  m.def("cross_entropy", cross_entropy, "input"_a, "target"_a, "weight"_a = py::none(), py::kw_only(), reduction,
        "ignore_index"_a = -100, "label_smoothing"_a = 0.0);
  bind_losses(m);
  m.def("clip_grad_norm_", clip_grad_norm);
  m.def("zeros_", &nn::init::zeros_, "tensor"_a);
  m.def("ones_", &nn::init::ones_, "tensor"_a);
  m.def("constant_", &nn::init::constant_, "tensor"_a, "val"_a);
  m.def("uniform_", &nn::init::uniform_, "tensor"_a, "a"_a = 0, "b"_a = 1);
  m.def("normal_", &nn::init::normal_, "tensor"_a, "mean"_a = 0, "std"_a = 1);
  m.def(
      "kaiming_uniform_", [](const Tensor& tensor, double a) { return nn::init::kaiming_uniform_(tensor, a); },
      "tensor"_a, "a"_a = 0);
}

}  // namespace

void bind_modules(py::module_& module) {
  py::class_<d2l::autograd::Node, std::shared_ptr<d2l::autograd::Node>>(module, "Node")
      .def("name", &d2l::autograd::Node::name);
  bind_module(module);
  bind_layers(module);
  bind_layer_functions(module);
}

}  // namespace golden
