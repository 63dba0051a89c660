// SPDX-License-Identifier: MIT
/// @file
/// MultiheadAttention: several attentions beside each other, each with parts of the numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <tuple>

#include "d2l/nn/linear.h"
#include "d2l/nn/module_holder.h"

namespace d2l::nn {

/// The options of MultiheadAttention.
class MultiheadAttentionOptions {
 public:
  /// `embed_dim`: the numbers of a query and of a result; `num_heads`, which divides it: the attentions.
  MultiheadAttentionOptions(std::int64_t embed_dim, std::int64_t num_heads)
      : embed_dim_(embed_dim), num_heads_(num_heads), kdim_(embed_dim), vdim_(embed_dim) {}
  /// The probability that a weight becomes 0 in training.
  MultiheadAttentionOptions& dropout(double p) {
    dropout_ = p;
    return *this;
  }
  /// Whether the linear maps have biases.
  MultiheadAttentionOptions& bias(bool bias) {
    bias_ = bias;
    return *this;
  }
  /// Whether a learned key and value are added to each sequence.
  MultiheadAttentionOptions& add_bias_kv(bool add) {
    add_bias_kv_ = add;
    return *this;
  }
  /// Whether a key and a value of zeros are added to each sequence.
  MultiheadAttentionOptions& add_zero_attn(bool add) {
    add_zero_attn_ = add;
    return *this;
  }
  /// The numbers of a key.
  MultiheadAttentionOptions& kdim(std::int64_t size) {
    kdim_ = size;
    return *this;
  }
  /// The numbers of a value.
  MultiheadAttentionOptions& vdim(std::int64_t size) {
    vdim_ = size;
    return *this;
  }
  /// Whether the batch is the first dimension, before the sequence.
  MultiheadAttentionOptions& batch_first(bool first) {
    batch_first_ = first;
    return *this;
  }
  /// The device of the parameters.
  MultiheadAttentionOptions& device(Device device) {
    parameters_ = parameters_.device(device);
    return *this;
  }
  /// The dtype of the parameters; floating point.
  MultiheadAttentionOptions& dtype(ScalarType dtype) {
    parameters_ = parameters_.dtype(dtype);
    return *this;
  }
  /// The numbers of a query and of a result.
  [[nodiscard]] std::int64_t embed_dim() const noexcept { return embed_dim_; }
  /// The attentions.
  [[nodiscard]] std::int64_t num_heads() const noexcept { return num_heads_; }
  /// The probability that a weight becomes 0 in training; by default 0.
  [[nodiscard]] double dropout() const noexcept { return dropout_; }
  /// Whether the linear maps have biases; by default true.
  [[nodiscard]] bool bias() const noexcept { return bias_; }
  /// Whether a learned key and value are added to each sequence; by default false.
  [[nodiscard]] bool add_bias_kv() const noexcept { return add_bias_kv_; }
  /// Whether a key and a value of zeros are added to each sequence; by default false.
  [[nodiscard]] bool add_zero_attn() const noexcept { return add_zero_attn_; }
  /// The numbers of a key; by default embed_dim.
  [[nodiscard]] std::int64_t kdim() const noexcept { return kdim_; }
  /// The numbers of a value; by default embed_dim.
  [[nodiscard]] std::int64_t vdim() const noexcept { return vdim_; }
  /// Whether the batch is the first dimension; by default false.
  [[nodiscard]] bool batch_first() const noexcept { return batch_first_; }
  /// Device and dtype of the parameters.
  [[nodiscard]] const TensorOptions& parameters() const noexcept { return parameters_; }

 private:
  std::int64_t embed_dim_;
  std::int64_t num_heads_;
  double dropout_ = 0;
  bool bias_ = true;
  bool add_bias_kv_ = false;
  bool add_zero_attn_ = false;
  std::int64_t kdim_;
  std::int64_t vdim_;
  bool batch_first_ = false;
  TensorOptions parameters_;
};

/// softmax(q kᵀ / √(embed_dim / num_heads)) v for each head, where q, k and v are linear maps of query, key and value,
/// and a linear map of the heads' results beside each other (Vaswani et al., 2017).
class MultiheadAttentionImpl : public Module {
 public:
  ///@{
  /// Draws the parameters, uniform by Xavier's rule, and biases of 0; ValueError unless num_heads divides embed_dim.
  MultiheadAttentionImpl(std::int64_t embed_dim, std::int64_t num_heads)
      : MultiheadAttentionImpl(MultiheadAttentionOptions(embed_dim, num_heads)) {}
  explicit MultiheadAttentionImpl(const MultiheadAttentionOptions& chosen);
  ///@}
  using Module::forward;
  /// query (L, N, embed_dim), key (S, N, kdim), value (S, N, vdim) → (L, N, embed_dim), and with `need_weights` the
  /// weights (N, L, S), averaged over the heads unless `average_attn_weights` is false: (N, heads, L, S). N may be
  /// absent; with batch_first it is first. `key_padding_mask` (N, S) and `attn_mask` (L, S) or (N × heads, L, S) are
  /// bool, where true does not take part, or numbers to add. `is_causal` says that attn_mask is causal, which changes
  /// nothing. ShapeError for other shapes, TypeError for another dtype of a mask, ValueError for is_causal without a
  /// mask.
  std::tuple<Tensor, Tensor> forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                     const Tensor& key_padding_mask = {}, bool need_weights = true,
                                     const Tensor& attn_mask = {}, bool average_attn_weights = true,
                                     bool is_causal = false);
  [[nodiscard]] std::shared_ptr<Module> clone() const override;
  /// Draws new parameters.
  void reset_parameters();

  MultiheadAttentionOptions options;  ///< as given
  Tensor in_proj_weight;              ///< (3 × embed_dim, embed_dim); undefined if kdim or vdim is another number
  Tensor q_proj_weight;               ///< (embed_dim, embed_dim), in that case
  Tensor k_proj_weight;               ///< (embed_dim, kdim), likewise
  Tensor v_proj_weight;               ///< (embed_dim, vdim), likewise
  Tensor in_proj_bias;                ///< (3 × embed_dim); undefined without bias
  Linear out_proj{nullptr};           ///< the map of the result
  Tensor bias_k;                      ///< (1, 1, embed_dim); undefined unless add_bias_kv
  Tensor bias_v;                      ///< likewise

 private:
  [[nodiscard]] bool has_one_size() const noexcept {
    return options.kdim() == options.embed_dim() && options.vdim() == options.embed_dim();
  }
  struct Projected {
    Tensor q;
    Tensor k;
    Tensor v;
  };
  [[nodiscard]] Projected projected(const Tensor& query, const Tensor& key, const Tensor& value) const;
};
/// Holds a MultiheadAttentionImpl: `nn::MultiheadAttention(64, 4)`.
D2L_MODULE(MultiheadAttention);

}  // namespace d2l::nn
