// SPDX-License-Identifier: MIT
#include "d2l/nn/transformer/transformer.h"

#include <limits>

#include "core/messages.h"
#include "d2l/factories.h"
#include "d2l/layer_ops.h"
#include "d2l/nn/init.h"
#include "nn/copy_state.h"

namespace d2l::nn {

namespace {

template <class Options>
Linear linear_of(const Options& o, std::int64_t in, std::int64_t out) {
  auto options = LinearOptions(in, out).dtype(o.parameters().dtype());
  return Linear(options.device(o.parameters().device()));
}

template <class Options>
MultiheadAttention attention_of(const Options& o) {
  auto options = MultiheadAttentionOptions(o.d_model(), o.nhead()).dropout(o.dropout()).batch_first(o.batch_first());
  return MultiheadAttention(options.dtype(o.parameters().dtype()).device(o.parameters().device()));
}

template <class Options>
LayerNorm norm_of(const Options& o) {
  auto options = LayerNormOptions({o.d_model()}).eps(o.layer_norm_eps()).dtype(o.parameters().dtype());
  return LayerNorm(options.device(o.parameters().device()));
}

template <class Layer>
std::shared_ptr<Module> copy_of_layer(const Layer& layer) {
  auto copy = std::make_shared<Layer>(layer.options);
  d2l::detail::copy_state(layer, *copy);
  return copy;
}

/// Appends the copies of a layer to a list, and registers both it and the norm.
template <class Options>
void fill_stack(Module& module, const Options& options, ModuleList& layers, std::shared_ptr<Module>& norm,
                const char* stack) {
  if (options.num_layers() < 0) {
    d2l::detail::fail<ValueError>(stack, "the number of layers is negative", {}, "give the number of layers");
  }
  for (std::int64_t i = 0; i < options.num_layers(); ++i) layers->push_back(options.layer()->clone());
  module.register_module("layers", layers);
  norm = options.norm();
  if (norm != nullptr) module.register_module("norm", norm);
}

template <class Stack>
std::shared_ptr<Module> copy_of_stack(const Stack& stack) {
  auto options = stack.options;
  if (stack.norm != nullptr) options.norm(stack.norm->clone());
  auto copy = std::make_shared<Stack>(options);
  d2l::detail::copy_state(stack, *copy);
  return copy;
}

}  // namespace

TransformerActivation::TransformerActivation(init::Nonlinearity function)
    : function_([](const Tensor& x) { return x.relu(); }) {
  if (function == init::Nonlinearity::relu) return;
  d2l::detail::fail<ValueError>("TransformerActivation", "activation should be relu/gelu", {},
                                "choose kReLU or kGELU, or give a function");
}
TransformerActivation::TransformerActivation(d2l::detail::GeluName /*gelu*/)
    : function_([](const Tensor& x) { return gelu(x); }) {}
TransformerActivation::TransformerActivation(std::function<Tensor(const Tensor&)> function)
    : function_(std::move(function)) {
  if (function_) return;
  d2l::detail::fail<ValueError>("TransformerActivation", "the function is empty", {}, "give a function of a tensor");
}

TransformerEncoderLayerImpl::TransformerEncoderLayerImpl(const TransformerEncoderLayerOptions& chosen)
    : options(chosen),
      self_attn(attention_of(chosen)),
      linear1(linear_of(chosen, chosen.d_model(), chosen.dim_feedforward())),
      dropout(chosen.dropout()),
      linear2(linear_of(chosen, chosen.dim_feedforward(), chosen.d_model())),
      norm1(norm_of(chosen)),
      norm2(norm_of(chosen)),
      dropout1(chosen.dropout()),
      dropout2(chosen.dropout()) {
  register_module("self_attn", self_attn);
  register_module("linear1", linear1);
  register_module("dropout", dropout);
  register_module("linear2", linear2);
  register_module("norm1", norm1);
  register_module("norm2", norm2);
  register_module("dropout1", dropout1);
  register_module("dropout2", dropout2);
}

Tensor TransformerEncoderLayerImpl::forward(const Tensor& src, const Tensor& src_mask,
                                            const Tensor& src_key_padding_mask) {
  const auto attended = [&](const Tensor& x) {
    return dropout1(std::get<0>(self_attn->forward(x, x, x, src_key_padding_mask, false, src_mask)));
  };
  const auto fed = [&](const Tensor& x) { return dropout2(linear2(dropout(options.activation()(linear1(x))))); };
  if (options.norm_first()) {
    const Tensor x = src + attended(norm1(src));
    return x + fed(norm2(x));
  }
  const Tensor x = norm1(src + attended(src));
  return norm2(x + fed(x));
}

std::shared_ptr<Module> TransformerEncoderLayerImpl::clone() const { return copy_of_layer(*this); }

TransformerDecoderLayerImpl::TransformerDecoderLayerImpl(const TransformerDecoderLayerOptions& chosen)
    : options(chosen),
      self_attn(attention_of(chosen)),
      multihead_attn(attention_of(chosen)),
      linear1(linear_of(chosen, chosen.d_model(), chosen.dim_feedforward())),
      dropout(chosen.dropout()),
      linear2(linear_of(chosen, chosen.dim_feedforward(), chosen.d_model())),
      norm1(norm_of(chosen)),
      norm2(norm_of(chosen)),
      norm3(norm_of(chosen)),
      dropout1(chosen.dropout()),
      dropout2(chosen.dropout()),
      dropout3(chosen.dropout()) {
  register_module("self_attn", self_attn);
  register_module("multihead_attn", multihead_attn);
  register_module("linear1", linear1);
  register_module("dropout", dropout);
  register_module("linear2", linear2);
  register_module("norm1", norm1);
  register_module("norm2", norm2);
  register_module("norm3", norm3);
  register_module("dropout1", dropout1);
  register_module("dropout2", dropout2);
  register_module("dropout3", dropout3);
}

Tensor TransformerDecoderLayerImpl::forward(const Tensor& tgt, const Tensor& memory, const Tensor& tgt_mask,
                                            const Tensor& memory_mask, const Tensor& tgt_key_padding_mask,
                                            const Tensor& memory_key_padding_mask) {
  const auto attended = [&](const Tensor& x) {
    return dropout1(std::get<0>(self_attn->forward(x, x, x, tgt_key_padding_mask, false, tgt_mask)));
  };
  const auto looked_up = [&](const Tensor& x) {
    return dropout2(
        std::get<0>(multihead_attn->forward(x, memory, memory, memory_key_padding_mask, false, memory_mask)));
  };
  const auto fed = [&](const Tensor& x) { return dropout3(linear2(dropout(options.activation()(linear1(x))))); };
  if (options.norm_first()) {
    Tensor x = tgt + attended(norm1(tgt));
    x = x + looked_up(norm2(x));
    return x + fed(norm3(x));
  }
  Tensor x = norm1(tgt + attended(tgt));
  x = norm2(x + looked_up(x));
  return norm3(x + fed(x));
}

std::shared_ptr<Module> TransformerDecoderLayerImpl::clone() const { return copy_of_layer(*this); }

TransformerEncoderImpl::TransformerEncoderImpl(const TransformerEncoderOptions& chosen) : options(chosen) {
  fill_stack(*this, options, layers, norm, "TransformerEncoder");
}

Tensor TransformerEncoderImpl::forward(const Tensor& src, const Tensor& src_mask, const Tensor& src_key_padding_mask) {
  Tensor x = src;
  for (std::size_t i = 0; i < layers->size(); ++i) {  // NOLINT(modernize-loop-convert): at() checks the class
    x = layers->at<TransformerEncoderLayerImpl>(i).forward(x, src_mask, src_key_padding_mask);
  }
  return norm != nullptr ? norm->forward(x) : x;
}

std::shared_ptr<Module> TransformerEncoderImpl::clone() const { return copy_of_stack(*this); }

TransformerDecoderImpl::TransformerDecoderImpl(const TransformerDecoderOptions& chosen) : options(chosen) {
  fill_stack(*this, options, layers, norm, "TransformerDecoder");
}

Tensor TransformerDecoderImpl::forward(const Tensor& tgt, const Tensor& memory, const Tensor& tgt_mask,
                                       const Tensor& memory_mask, const Tensor& tgt_key_padding_mask,
                                       const Tensor& memory_key_padding_mask) {
  Tensor x = tgt;
  for (std::size_t i = 0; i < layers->size(); ++i) {  // NOLINT(modernize-loop-convert): at() checks the class
    x = layers->at<TransformerDecoderLayerImpl>(i).forward(x, memory, tgt_mask, memory_mask, tgt_key_padding_mask,
                                                           memory_key_padding_mask);
  }
  return norm != nullptr ? norm->forward(x) : x;
}

std::shared_ptr<Module> TransformerDecoderImpl::clone() const { return copy_of_stack(*this); }

namespace {

/// The options of a layer with those of the whole.
template <class Layer>
Layer layer_of(const TransformerOptions& o) {
  auto options = Layer(o.d_model(), o.nhead()).dim_feedforward(o.dim_feedforward()).dropout(o.dropout());
  options.activation(o.activation()).layer_norm_eps(o.layer_norm_eps()).batch_first(o.batch_first());
  return options.norm_first(o.norm_first()).dtype(o.parameters().dtype()).device(o.parameters().device());
}

}  // namespace

TransformerImpl::TransformerImpl(const TransformerOptions& chosen)
    : options(chosen),
      encoder(TransformerEncoderOptions(TransformerEncoderLayer(layer_of<TransformerEncoderLayerOptions>(chosen)),
                                        chosen.num_encoder_layers())
                  .norm(norm_of(chosen))),
      decoder(TransformerDecoderOptions(TransformerDecoderLayer(layer_of<TransformerDecoderLayerOptions>(chosen)),
                                        chosen.num_decoder_layers())
                  .norm(norm_of(chosen))) {
  register_module("encoder", encoder);
  register_module("decoder", decoder);
  reset_parameters();
}

// NOLINTNEXTLINE(readability-make-member-function-const): it changes the module.
void TransformerImpl::reset_parameters() {
  for (const Tensor& parameter : parameters()) {
    if (parameter.dim() > 1) init::xavier_uniform_(parameter);
  }
}

Tensor TransformerImpl::forward(const Tensor& src, const Tensor& tgt, const Tensor& src_mask, const Tensor& tgt_mask,
                                const Tensor& memory_mask, const Tensor& src_key_padding_mask,
                                const Tensor& tgt_key_padding_mask, const Tensor& memory_key_padding_mask) {
  const auto& from = d2l::detail::impl_of(src, "Transformer");
  const auto& to = d2l::detail::impl_of(tgt, "Transformer");
  const auto both = d2l::detail::operands({{"src", &from}, {"tgt", &to}});
  const bool is_batched = from.sizes.count == 3;
  const std::int64_t batch = options.batch_first() ? 0 : 1;
  if (is_batched && to.sizes.count == 3 && src.size(batch) != tgt.size(batch)) {
    d2l::detail::fail<ShapeError>("Transformer", "the batch number of src and tgt must be equal", both,
                                  "give a target for each source");
  }
  if (from.sizes.count == 0 || to.sizes.count == 0 || src.size(-1) != options.d_model() ||
      tgt.size(-1) != options.d_model()) {
    d2l::detail::fail<ShapeError>("Transformer", "the feature number of src and tgt must be equal to d_model", both,
                                  "the last dimension is d_model");
  }
  const Tensor memory = encoder->forward(src, src_mask, src_key_padding_mask);
  return decoder->forward(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask);
}

Tensor TransformerImpl::generate_square_subsequent_mask(std::int64_t sz) {
  return full({sz, sz}, -std::numeric_limits<double>::infinity(), kFloat).triu(1);
}

std::shared_ptr<Module> TransformerImpl::clone() const {
  auto copy = std::make_shared<TransformerImpl>(options);
  d2l::detail::copy_state(*this, *copy);
  return copy;
}

}  // namespace d2l::nn
