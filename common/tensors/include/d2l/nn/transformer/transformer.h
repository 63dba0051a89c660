// SPDX-License-Identifier: MIT
/// @file
/// Transformers (Vaswani et al., 2017): layers of attention and of a perceptron for each element, and stacks of them.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "d2l/nn/any_module.h"
#include "d2l/nn/dropout.h"
#include "d2l/nn/layer_norm.h"
#include "d2l/nn/linear.h"
#include "d2l/nn/module_list.h"
#include "d2l/nn/multihead_attention.h"
#include "d2l/nn/transformer/transformer_options.h"

namespace d2l::nn {

/// Attention of a sequence to itself, then a perceptron; each is added to its input, and the sum is normalised.
class TransformerEncoderLayerImpl : public Module {
 public:
  ///@{
  /// Draws the parameters; errors as MultiheadAttention.
  TransformerEncoderLayerImpl(std::int64_t d_model, std::int64_t nhead)
      : TransformerEncoderLayerImpl(TransformerEncoderLayerOptions(d_model, nhead)) {}
  explicit TransformerEncoderLayerImpl(const TransformerEncoderLayerOptions& chosen);
  ///@}
  ///@{
  /// (L, N, d_model) → the same shape; the masks and the errors are those of MultiheadAttention.
  Tensor forward(const Tensor& src) override { return forward(src, Tensor()); }
  Tensor forward(const Tensor& src, const Tensor& src_mask, const Tensor& src_key_padding_mask = {});
  ///@}
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  TransformerEncoderLayerOptions options;  ///< as given
  MultiheadAttention self_attn;            ///< the attention
  Linear linear1;                          ///< d_model → dim_feedforward
  Dropout dropout;                         ///< of its result
  Linear linear2;                          ///< dim_feedforward → d_model
  LayerNorm norm1;                         ///< beside the attention
  LayerNorm norm2;                         ///< beside the perceptron
  Dropout dropout1;                        ///< of the attention's result
  Dropout dropout2;                        ///< of the perceptron's result
};
/// Holds a TransformerEncoderLayerImpl: `nn::TransformerEncoderLayer(64, 4)`.
D2L_MODULE(TransformerEncoderLayer);

/// Attention of a sequence to itself, attention to another sequence, then a perceptron.
class TransformerDecoderLayerImpl : public Module {
 public:
  ///@{
  /// Draws the parameters; errors as MultiheadAttention.
  TransformerDecoderLayerImpl(std::int64_t d_model, std::int64_t nhead)
      : TransformerDecoderLayerImpl(TransformerDecoderLayerOptions(d_model, nhead)) {}
  explicit TransformerDecoderLayerImpl(const TransformerDecoderLayerOptions& chosen);
  ///@}
  using Module::forward;
  /// tgt (L, N, d_model) and memory (S, N, d_model) → the shape of tgt; the masks and the errors are those of
  /// MultiheadAttention.
  Tensor forward(const Tensor& tgt, const Tensor& memory, const Tensor& tgt_mask = {}, const Tensor& memory_mask = {},
                 const Tensor& tgt_key_padding_mask = {}, const Tensor& memory_key_padding_mask = {});
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  TransformerDecoderLayerOptions options;  ///< as given
  MultiheadAttention self_attn;            ///< the attention to itself
  MultiheadAttention multihead_attn;       ///< the attention to the other sequence
  Linear linear1;                          ///< d_model → dim_feedforward
  Dropout dropout;                         ///< of its result
  Linear linear2;                          ///< dim_feedforward → d_model
  LayerNorm norm1;                         ///< beside the first attention
  LayerNorm norm2;                         ///< beside the second one
  LayerNorm norm3;                         ///< beside the perceptron
  Dropout dropout1;                        ///< of the first attention's result
  Dropout dropout2;                        ///< of the second one's
  Dropout dropout3;                        ///< of the perceptron's result
};
/// Holds a TransformerDecoderLayerImpl: `nn::TransformerDecoderLayer(64, 4)`.
D2L_MODULE(TransformerDecoderLayer);

/// The options of TransformerEncoder and TransformerDecoder.
template <class Layer>
class TransformerStackOptions {
 public:
  /// `num_layers` copies of a layer, with its values.
  TransformerStackOptions(Layer layer, std::int64_t num_layers) : layer_(std::move(layer)), num_layers_(num_layers) {}
  /// A module for the result of the last layer, such as a LayerNorm.
  TransformerStackOptions& norm(const AnyModule& norm) {
    norm_ = norm.ptr();
    return *this;
  }
  /// The layer.
  [[nodiscard]] const Layer& layer() const noexcept { return layer_; }
  /// The number of copies.
  [[nodiscard]] std::int64_t num_layers() const noexcept { return num_layers_; }
  /// The module for the result; null by default.
  [[nodiscard]] const std::shared_ptr<Module>& norm() const noexcept { return norm_; }

 private:
  Layer layer_;
  std::int64_t num_layers_;
  std::shared_ptr<Module> norm_;
};
using TransformerEncoderOptions = TransformerStackOptions<TransformerEncoderLayer>;  ///< those of TransformerEncoder
using TransformerDecoderOptions = TransformerStackOptions<TransformerDecoderLayer>;  ///< those of TransformerDecoder

/// Encoder layers, one after the other.
class TransformerEncoderImpl : public Module {
 public:
  ///@{
  /// Copies of the layer, with its values; ValueError for a negative number.
  TransformerEncoderImpl(const TransformerEncoderLayer& encoder_layer, std::int64_t num_layers)
      : TransformerEncoderImpl(TransformerEncoderOptions(encoder_layer, num_layers)) {}
  explicit TransformerEncoderImpl(const TransformerEncoderOptions& chosen);
  ///@}
  ///@{
  /// As forward() of the layer.
  Tensor forward(const Tensor& src) override { return forward(src, Tensor()); }
  Tensor forward(const Tensor& src, const Tensor& src_mask, const Tensor& src_key_padding_mask = {});
  ///@}
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  TransformerEncoderOptions options;  ///< as given
  ModuleList layers;                  ///< the layers
  std::shared_ptr<Module> norm;       ///< for the result of the last one; may be null
};
/// Holds a TransformerEncoderImpl: `nn::TransformerEncoder(layer, 6)`.
D2L_MODULE(TransformerEncoder);

/// Decoder layers, one after the other.
class TransformerDecoderImpl : public Module {
 public:
  ///@{
  /// Copies of the layer, with its values; ValueError for a negative number.
  TransformerDecoderImpl(const TransformerDecoderLayer& decoder_layer, std::int64_t num_layers)
      : TransformerDecoderImpl(TransformerDecoderOptions(decoder_layer, num_layers)) {}
  explicit TransformerDecoderImpl(const TransformerDecoderOptions& chosen);
  ///@}
  using Module::forward;
  /// As forward() of the layer.
  Tensor forward(const Tensor& tgt, const Tensor& memory, const Tensor& tgt_mask = {}, const Tensor& memory_mask = {},
                 const Tensor& tgt_key_padding_mask = {}, const Tensor& memory_key_padding_mask = {});
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  TransformerDecoderOptions options;  ///< as given
  ModuleList layers;                  ///< the layers
  std::shared_ptr<Module> norm;       ///< for the result of the last one; may be null
};
/// Holds a TransformerDecoderImpl: `nn::TransformerDecoder(layer, 6)`.
D2L_MODULE(TransformerDecoder);

/// An encoder, and a decoder that reads its result.
class TransformerImpl : public Module {
 public:
  ///@{
  /// Draws the parameters, matrices by Xavier's rule; errors as MultiheadAttention.
  TransformerImpl() : TransformerImpl(TransformerOptions()) {}
  explicit TransformerImpl(const TransformerOptions& chosen);
  ///@}
  using Module::forward;
  /// src (S, N, d_model) and tgt (L, N, d_model) → the shape of tgt; the masks are those of the layers. ShapeError if
  /// the two have other batches or d_model; errors as MultiheadAttention.
  Tensor forward(const Tensor& src, const Tensor& tgt, const Tensor& src_mask = {}, const Tensor& tgt_mask = {},
                 const Tensor& memory_mask = {}, const Tensor& src_key_padding_mask = {},
                 const Tensor& tgt_key_padding_mask = {}, const Tensor& memory_key_padding_mask = {});
  /// (sz, sz): −∞ above the diagonal, else 0. ValueError or ShapeError for a negative size.
  static Tensor generate_square_subsequent_mask(std::int64_t sz);
  [[nodiscard]] std::shared_ptr<Module> clone() const override;
  /// Draws new matrices.
  void reset_parameters();

  TransformerOptions options;  ///< as given
  TransformerEncoder encoder;  ///< reads src
  TransformerDecoder decoder;  ///< reads tgt and the encoder's result
};
/// Holds a TransformerImpl: `nn::Transformer(nn::TransformerOptions(64, 4))`.
D2L_MODULE(Transformer);

}  // namespace d2l::nn
