// SPDX-License-Identifier: MIT
// The module _d2l: recurrent layers, attention and transformers.
#include "golden/binding.h"

namespace golden {
namespace {

using d2l::Tensor;
namespace nn = d2l::nn;
using ModulePointer = std::shared_ptr<nn::Module>;
template <class Layer>
using SequenceClass = py::class_<Layer, nn::Module, std::shared_ptr<Layer>>;
using Pair = std::tuple<Tensor, Tensor>;

Tensor given(const MaybeTensor& tensor) { return tensor.value_or(Tensor()); }

nn::init::Nonlinearity function_named(const std::string& name) {
  return name == "relu" ? d2l::kReLU : name == "tanh" ? d2l::kTanh : d2l::kLinear;
}

template <class Options>
Options placed_options_of(Options options, bool bias, MaybeDevice device, MaybeDtype dtype) {
  return options.bias(bias).device(device.value_or(default_device)).dtype(dtype.value_or(d2l::kFloat));
}

template <class Impl, class Options>
auto layer_maker() {
  return [](Integer input, Integer hidden, Integer layers, bool bias, bool batch_first, double dropout, bool both,
            MaybeDevice device, MaybeDtype dtype) {
    auto options = placed_options_of(Options(input, hidden), bias, device, dtype);
    return std::make_shared<Impl>(
        options.num_layers(layers).batch_first(batch_first).dropout(dropout).bidirectional(both));
  };
}

void bind_recurrent(py::module_& m) {
  const auto layers = "num_layers"_a = 1;
  const auto bias = "bias"_a = true;
  const auto batch_first = "batch_first"_a = false;
  const auto dropout = "dropout"_a = 0.0;
  const auto both = "bidirectional"_a = false;
  const auto device = "device"_a = py::none();
  const auto dtype = "dtype"_a = py::none();
  const auto rnn = [](Integer input, Integer hidden, Integer count, const std::string& function, bool with_bias,
                      bool first, double p, bool directions, MaybeDevice where, MaybeDtype type) {
    auto options =
        placed_options_of(nn::RNNOptions(input, hidden), with_bias, where, type).nonlinearity(function_named(function));
    return std::make_shared<nn::RNNImpl>(
        options.num_layers(count).batch_first(first).dropout(p).bidirectional(directions));
  };
  const auto lstm = [](Integer input, Integer hidden, Integer count, bool with_bias, bool first, double p,
                       bool directions, Integer projection, MaybeDevice where, MaybeDtype type) {
    auto options = placed_options_of(nn::LSTMOptions(input, hidden), with_bias, where, type).proj_size(projection);
    return std::make_shared<nn::LSTMImpl>(
        options.num_layers(count).batch_first(first).dropout(p).bidirectional(directions));
  };
  SequenceClass<nn::RNNImpl>(m, "RNN")
      .def(py::init(rnn), "input_size"_a, "hidden_size"_a, layers, "nonlinearity"_a = "tanh", bias, batch_first,
           dropout, both, device, dtype)
      .def(
          "forward", [](nn::RNNImpl& l, const Tensor& x, const MaybeTensor& h) { return l.forward(x, given(h)); },
          "input"_a, "hx"_a = py::none());
  SequenceClass<nn::GRUImpl>(m, "GRU")
      .def(py::init(layer_maker<nn::GRUImpl, nn::GRUOptions>()), "input_size"_a, "hidden_size"_a, layers, bias,
           batch_first, dropout, both, device, dtype)
      .def(
          "forward", [](nn::GRUImpl& l, const Tensor& x, const MaybeTensor& h) { return l.forward(x, given(h)); },
          "input"_a, "hx"_a = py::none());
  SequenceClass<nn::LSTMImpl>(m, "LSTM")
      .def(py::init(lstm), "input_size"_a, "hidden_size"_a, layers, bias, batch_first, dropout, both, "proj_size"_a = 0,
           device, dtype)
      .def(
          "forward",
          [](nn::LSTMImpl& l, const Tensor& x, std::optional<Pair> hx) { return l.forward(x, std::move(hx)); },
          "input"_a, "hx"_a = py::none());
}

void bind_cells(py::module_& m) {
  const auto bias = "bias"_a = true;
  const auto device = "device"_a = py::none();
  const auto dtype = "dtype"_a = py::none();
  const auto rnn = [](Integer input, Integer hidden, bool with_bias, const std::string& function, MaybeDevice where,
                      MaybeDtype type) {
    const auto options = placed_options_of(nn::RNNCellOptions(input, hidden), with_bias, where, type);
    return std::make_shared<nn::RNNCellImpl>(nn::RNNCellOptions(options).nonlinearity(function_named(function)));
  };
  const auto gru = [](Integer input, Integer hidden, bool with_bias, MaybeDevice where, MaybeDtype type) {
    return std::make_shared<nn::GRUCellImpl>(
        placed_options_of(nn::GRUCellOptions(input, hidden), with_bias, where, type));
  };
  const auto lstm = [](Integer input, Integer hidden, bool with_bias, MaybeDevice where, MaybeDtype type) {
    return std::make_shared<nn::LSTMCellImpl>(
        placed_options_of(nn::LSTMCellOptions(input, hidden), with_bias, where, type));
  };
  SequenceClass<nn::RNNCellImpl>(m, "RNNCell")
      .def(py::init(rnn), "input_size"_a, "hidden_size"_a, bias, "nonlinearity"_a = "tanh", device, dtype)
      .def(
          "forward", [](nn::RNNCellImpl& l, const Tensor& x, const MaybeTensor& h) { return l.forward(x, given(h)); },
          "input"_a, "hx"_a = py::none());
  SequenceClass<nn::GRUCellImpl>(m, "GRUCell")
      .def(py::init(gru), "input_size"_a, "hidden_size"_a, bias, device, dtype)
      .def(
          "forward", [](nn::GRUCellImpl& l, const Tensor& x, const MaybeTensor& h) { return l.forward(x, given(h)); },
          "input"_a, "hx"_a = py::none());
  SequenceClass<nn::LSTMCellImpl>(m, "LSTMCell")
      .def(py::init(lstm), "input_size"_a, "hidden_size"_a, bias, device, dtype)
      .def(
          "forward",
          [](nn::LSTMCellImpl& l, const Tensor& x, std::optional<Pair> hx) { return l.forward(x, std::move(hx)); },
          "input"_a, "hx"_a = py::none());
}

nn::TransformerActivation activation_named(const std::string& name) {
  if (name == "gelu") return d2l::kGELU;
  return function_named(name);
}

template <class Options>
Options layer_options(Integer width, Integer heads, Integer inner, double p, const std::string& function, double eps,
                      bool first, bool norm_first) {
  auto options = Options(width, heads).dim_feedforward(inner).dropout(p).activation(activation_named(function));
  return options.layer_norm_eps(eps).batch_first(first).norm_first(norm_first).device(default_device);
}

template <class Impl, class Options>
SequenceClass<Impl> bind_transformer_layer(py::module_& m, const char* name) {
  return SequenceClass<Impl>(m, name).def(
      py::init([](Integer width, Integer heads, Integer inner, double p, const std::string& function, double eps,
                  bool first, bool norm_first) {
        return std::make_shared<Impl>(layer_options<Options>(width, heads, inner, p, function, eps, first, norm_first));
      }),
      "d_model"_a, "nhead"_a, "dim_feedforward"_a = 2048, "dropout"_a = 0.1, "activation"_a = "relu",
      "layer_norm_eps"_a = 1e-5, "batch_first"_a = false, "norm_first"_a = false);
}

template <class Impl, class LayerImpl, class Layer>
SequenceClass<Impl> bind_stack(py::module_& m, const char* name, const char* layer_name) {
  return SequenceClass<Impl>(m, name).def(
      py::init([](const std::shared_ptr<LayerImpl>& layer, Integer count, const ModulePointer& norm, bool /*nested*/) {
        nn::TransformerStackOptions<Layer> options(Layer(layer), count);
        if (norm != nullptr) options.norm(norm);
        return std::make_shared<Impl>(options);
      }),
      py::arg(layer_name), "num_layers"_a, "norm"_a = py::none(), "enable_nested_tensor"_a = true);
}

void bind_transformers(py::module_& m) {
  const auto encode = [](auto& l, const Tensor& x, const MaybeTensor& mask, const MaybeTensor& padding) {
    return l.forward(x, given(mask), given(padding));
  };
  const auto decode = [](auto& l, const Tensor& x, const Tensor& memory, const MaybeTensor& mask,
                         const MaybeTensor& memory_mask, const MaybeTensor& padding,
                         const MaybeTensor& memory_padding) {
    return l.forward(x, memory, given(mask), given(memory_mask), given(padding), given(memory_padding));
  };
  const auto none = py::none();
#define ENCODE(Impl)                                                                                                \
  def(                                                                                                              \
      "forward",                                                                                                    \
      [=](nn::Impl& l, const Tensor& x, const MaybeTensor& a, const MaybeTensor& b) { return encode(l, x, a, b); }, \
      "src"_a, "src_mask"_a = none, "src_key_padding_mask"_a = none)
#define DECODE(Impl)                                                                                      \
  def(                                                                                                    \
      "forward",                                                                                          \
      [=](nn::Impl& l, const Tensor& x, const Tensor& memory, const MaybeTensor& a, const MaybeTensor& b, \
          const MaybeTensor& c, const MaybeTensor& d) { return decode(l, x, memory, a, b, c, d); },       \
      "tgt"_a, "memory"_a, "tgt_mask"_a = none, "memory_mask"_a = none, "tgt_key_padding_mask"_a = none,  \
      "memory_key_padding_mask"_a = none)
  bind_transformer_layer<nn::TransformerEncoderLayerImpl, nn::TransformerEncoderLayerOptions>(m,
                                                                                              "TransformerEncoderLayer")
      .ENCODE(TransformerEncoderLayerImpl);
  bind_transformer_layer<nn::TransformerDecoderLayerImpl, nn::TransformerDecoderLayerOptions>(m,
                                                                                              "TransformerDecoderLayer")
      .DECODE(TransformerDecoderLayerImpl);
  bind_stack<nn::TransformerEncoderImpl, nn::TransformerEncoderLayerImpl, nn::TransformerEncoderLayer>(
      m, "TransformerEncoder", "encoder_layer")
      .ENCODE(TransformerEncoderImpl);
  bind_stack<nn::TransformerDecoderImpl, nn::TransformerDecoderLayerImpl, nn::TransformerDecoderLayer>(
      m, "TransformerDecoder", "decoder_layer")
      .DECODE(TransformerDecoderImpl);
#undef ENCODE
#undef DECODE
}

void bind_attention(py::module_& m) {
  const auto make = [](Integer size, Integer heads, double p, bool bias, bool bias_kv, bool zero,
                       std::optional<Integer> k, std::optional<Integer> v, bool first, MaybeDevice device,
                       MaybeDtype dtype) {
    auto options = placed_options_of(nn::MultiheadAttentionOptions(size, heads), bias, device, dtype);
    options.dropout(p).add_bias_kv(bias_kv).add_zero_attn(zero).batch_first(first);
    return std::make_shared<nn::MultiheadAttentionImpl>(options.kdim(k.value_or(size)).vdim(v.value_or(size)));
  };
  const auto attend = [](nn::MultiheadAttentionImpl& l, const Tensor& q, const Tensor& k, const Tensor& v,
                         const MaybeTensor& padding, bool weights, const MaybeTensor& mask, bool average, bool causal) {
    return l.forward(q, k, v, given(padding), weights, given(mask), average, causal);
  };
  const auto none = py::none();
  SequenceClass<nn::MultiheadAttentionImpl>(m, "MultiheadAttention")
      .def(py::init(make), "embed_dim"_a, "num_heads"_a, "dropout"_a = 0.0, "bias"_a = true, "add_bias_kv"_a = false,
           "add_zero_attn"_a = false, "kdim"_a = none, "vdim"_a = none, "batch_first"_a = false, "device"_a = none,
           "dtype"_a = none)
      .def("forward", attend, "query"_a, "key"_a, "value"_a, "key_padding_mask"_a = none, "need_weights"_a = true,
           "attn_mask"_a = none, "average_attn_weights"_a = true, "is_causal"_a = false);
}

void bind_others(py::module_& m) {
  const auto prelu = [](Integer count, double init) {
    auto layer = std::make_shared<nn::PReLUImpl>(nn::PReLUOptions().num_parameters(count).init(init));
    layer->to(default_device);
    return layer;
  };
  const auto rms = [](d2l::IntArrayRef shape, std::optional<double> eps, bool affine) {
    const auto options = nn::RMSNormOptions(shape.vec()).eps(eps).elementwise_affine(affine).device(default_device);
    return std::make_shared<nn::RMSNormImpl>(options);
  };
  SequenceClass<nn::PReLUImpl>(m, "PReLU").def(py::init(prelu), "num_parameters"_a = 1, "init"_a = 0.25);
  SequenceClass<nn::RMSNormImpl>(m, "RMSNorm")
      .def(py::init(rms), "normalized_shape"_a, "eps"_a = py::none(), "elementwise_affine"_a = true);
  const auto gelu = [](const std::string& name) {
    return std::make_shared<nn::GELUImpl>(nn::GELUOptions().approximate(name));
  };
  SequenceClass<nn::GELUImpl>(m, "GELU").def(py::init(gelu), "approximate"_a = "none");
}

}  // namespace

void bind_sequences(py::module_& module) {
  bind_recurrent(module);
  bind_cells(module);
  bind_attention(module);
  bind_transformers(module);
  bind_others(module);
}

}  // namespace golden
