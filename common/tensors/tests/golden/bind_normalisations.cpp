// SPDX-License-Identifier: MIT
// The module _d2l: normalisations and embeddings, as layers and as functions.
#include "golden/binding.h"

namespace golden {
namespace {

using d2l::Device;
using d2l::ScalarType;
using d2l::Tensor;
namespace nn = d2l::nn;
using MaybeDouble = std::optional<double>;
using MaybeInteger = std::optional<Integer>;
using SizeList = std::vector<Integer>;

/// An int, or a list of them.
SizeList shape_of(const py::object& shape) {
  return py::isinstance<py::int_>(shape) ? SizeList{shape.cast<Integer>()} : shape.cast<SizeList>();
}

template <class Options>
Options placed_normalisation(Options options, MaybeDevice device, MaybeDtype dtype) {
  options.device(device.value_or(default_device)).dtype(dtype.value_or(d2l::kFloat));
  return options;
}

nn::BatchNormOptions batch_options(Integer count, double eps, MaybeDouble momentum, bool affine, bool track) {
  return nn::BatchNormOptions(count).eps(eps).momentum(momentum).affine(affine).track_running_stats(track);
}

template <class Layer>
void bind_batch_norm(py::module_& m, const char* name) {
  const auto make = [](Integer count, double eps, MaybeDouble momentum, bool affine, bool track, MaybeDevice device,
                       MaybeDtype dtype) {
    return std::make_shared<Layer>(
        placed_normalisation(batch_options(count, eps, momentum, affine, track), device, dtype));
  };
  py::class_<Layer, nn::BatchNormImplBase, std::shared_ptr<Layer>>(m, name).def(
      py::init(make), "num_features"_a, "eps"_a = 1e-5, "momentum"_a = 0.1, "affine"_a = true,
      "track_running_stats"_a = true, "device"_a = py::none(), "dtype"_a = py::none());
}

template <class Layer, class Base>
void bind_lazy_batch_norm(py::module_& m, const char* name) {
  const auto make = [](double eps, MaybeDouble momentum, bool affine, bool track, MaybeDevice device,
                       MaybeDtype dtype) {
    return std::make_shared<Layer>(placed_normalisation(batch_options(0, eps, momentum, affine, track), device, dtype));
  };
  py::class_<Layer, Base, std::shared_ptr<Layer>>(m, name).def(py::init(make), "eps"_a = 1e-5, "momentum"_a = 0.1,
                                                               "affine"_a = true, "track_running_stats"_a = true,
                                                               "device"_a = py::none(), "dtype"_a = py::none());
}

void bind_normalisation_layers(py::module_& m) {
  using Base = nn::BatchNormImplBase;
  py::class_<Base, nn::Module, std::shared_ptr<Base>>(m, "_BatchNorm")
      .def("reset_parameters", &Base::reset_parameters)
      .def("reset_running_stats", &Base::reset_running_stats)
      .def_property_readonly("weight", [](const Base& l) { return l.weight; })
      .def_property_readonly("bias", [](const Base& l) { return l.bias; })
      .def_property_readonly("running_mean", [](const Base& l) { return l.running_mean; })
      .def_property_readonly("running_var", [](const Base& l) { return l.running_var; })
      .def_property_readonly("num_batches_tracked", [](const Base& l) { return l.num_batches_tracked; });
  bind_batch_norm<nn::BatchNorm1dImpl>(m, "BatchNorm1d");
  bind_batch_norm<nn::BatchNorm2dImpl>(m, "BatchNorm2d");
  bind_lazy_batch_norm<nn::LazyBatchNorm1dImpl, nn::BatchNorm1dImpl>(m, "LazyBatchNorm1d");
  bind_lazy_batch_norm<nn::LazyBatchNorm2dImpl, nn::BatchNorm2dImpl>(m, "LazyBatchNorm2d");
  const auto layer_norm = [](const py::object& shape, double eps, bool affine, MaybeDevice device, MaybeDtype dtype) {
    const auto options = nn::LayerNormOptions(shape_of(shape)).eps(eps).elementwise_affine(affine);
    return std::make_shared<nn::LayerNormImpl>(placed_normalisation(options, device, dtype));
  };
  py::class_<nn::LayerNormImpl, nn::Module, std::shared_ptr<nn::LayerNormImpl>>(m, "LayerNorm")
      .def(py::init(layer_norm), "normalized_shape"_a, "eps"_a = 1e-5, "elementwise_affine"_a = true,
           "device"_a = py::none(), "dtype"_a = py::none())
      .def("reset_parameters", &nn::LayerNormImpl::reset_parameters)
      .def_property_readonly("weight", [](const nn::LayerNormImpl& l) { return l.weight; })
      .def_property_readonly("bias", [](const nn::LayerNormImpl& l) { return l.bias; });
  const auto embedding = [](Integer count, Integer size, MaybeInteger padding, MaybeDouble max_norm, double norm_type,
                            bool scales, bool sparse, MaybeDevice device, MaybeDtype dtype) {
    const auto options = nn::EmbeddingOptions(count, size)
                             .padding_idx(padding)
                             .max_norm(max_norm)
                             .norm_type(norm_type)
                             .scale_grad_by_freq(scales)
                             .sparse(sparse);
    return std::make_shared<nn::EmbeddingImpl>(placed_normalisation(options, device, dtype));
  };
  py::class_<nn::EmbeddingImpl, nn::Module, std::shared_ptr<nn::EmbeddingImpl>>(m, "Embedding")
      .def(py::init(embedding), "num_embeddings"_a, "embedding_dim"_a, "padding_idx"_a = py::none(),
           "max_norm"_a = py::none(), "norm_type"_a = 2.0, "scale_grad_by_freq"_a = false, "sparse"_a = false,
           "device"_a = py::none(), "dtype"_a = py::none())
      .def("reset_parameters", &nn::EmbeddingImpl::reset_parameters)
      .def_property_readonly("weight", [](const nn::EmbeddingImpl& l) { return l.weight; });
}

}  // namespace

void bind_normalisations(py::module_& m) {
  const auto none = py::none();
  const auto defined = [](const MaybeTensor& tensor) { return tensor.value_or(Tensor()); };
  bind_normalisation_layers(m);
  m.def(
      "batch_norm",
      [defined](const Tensor& x, const MaybeTensor& mean, const MaybeTensor& var, const MaybeTensor& weight,
                const MaybeTensor& bias, bool training, double momentum, double eps) {
        return nn::functional::batch_norm(x, defined(mean), defined(var),
                                          nn::functional::BatchNormFuncOptions()
                                              .weight(defined(weight))
                                              .bias(defined(bias))
                                              .training(training)
                                              .momentum(momentum)
                                              .eps(eps));
      },
      "input"_a, "running_mean"_a, "running_var"_a, "weight"_a = none, "bias"_a = none, "training"_a = false,
      "momentum"_a = 0.1, "eps"_a = 1e-5);
  m.def(
      "layer_norm",
      [defined](const Tensor& x, const py::object& shape, const MaybeTensor& weight, const MaybeTensor& bias,
                double eps) { return d2l::layer_norm(x, shape_of(shape), defined(weight), defined(bias), eps); },
      "input"_a, "normalized_shape"_a, "weight"_a = none, "bias"_a = none, "eps"_a = 1e-5);
  m.def(
      "embedding",
      [](const Tensor& indices, const Tensor& weight, MaybeInteger padding, MaybeDouble max_norm, double norm_type,
         bool scales, bool sparse) {
        return nn::functional::embedding(indices, weight,
                                         nn::functional::EmbeddingFuncOptions()
                                             .padding_idx(padding)
                                             .max_norm(max_norm)
                                             .norm_type(norm_type)
                                             .scale_grad_by_freq(scales)
                                             .sparse(sparse));
      },
      "input"_a, "weight"_a, "padding_idx"_a = none, "max_norm"_a = none, "norm_type"_a = 2.0,
      "scale_grad_by_freq"_a = false, "sparse"_a = false);
  // torch.batch_norm and torch.embedding, whose arguments have another order.
  m.def(
      "plain_batch_norm",
      [defined](const Tensor& x, const MaybeTensor& weight, const MaybeTensor& bias, const MaybeTensor& mean,
                const MaybeTensor& var, bool training, double momentum, double eps, bool cudnn) {
        return d2l::batch_norm(x, defined(weight), defined(bias), defined(mean), defined(var), training, momentum, eps,
                               cudnn);
      },
      "input"_a, "weight"_a, "bias"_a, "running_mean"_a, "running_var"_a, "training"_a, "momentum"_a, "eps"_a,
      "cudnn_enabled"_a);
  m.def("plain_embedding", &d2l::embedding, "weight"_a, "indices"_a, "padding_idx"_a = -1,
        "scale_grad_by_freq"_a = false, "sparse"_a = false);
}

}  // namespace golden
