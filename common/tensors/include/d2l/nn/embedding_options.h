// SPDX-License-Identifier: MIT
/// @file
/// The options of Embedding and embedding().
#pragma once

#include <cstdint>
#include <optional>

#include "d2l/tensor.h"

namespace d2l::detail {

/// The options that Embedding and embedding() share; the setters give an Options.
template <class Options>
class EmbeddingLookupOf {
 public:
  /// The row that gets no gradient; a negative one counts from the end.
  Options& padding_idx(std::optional<std::int64_t> index) {
    padding_idx_ = index;
    return self();
  }
  /// Rows of a larger norm are scaled to this norm, in the weight itself, when they are used.
  Options& max_norm(std::optional<double> norm) {
    max_norm_ = norm;
    return self();
  }
  /// The p of the norm that max_norm limits.
  Options& norm_type(double p) {
    norm_type_ = p;
    return self();
  }
  /// Whether the gradient of a row is divided by the count of its index.
  Options& scale_grad_by_freq(bool scale) {
    scale_grad_by_freq_ = scale;
    return self();
  }
  /// Whether the gradient is sparse, which is not supported: a ValueError when it is used.
  Options& sparse(bool sparse) {
    sparse_ = sparse;
    return self();
  }
  /// The row that gets no gradient; by default none.
  [[nodiscard]] std::optional<std::int64_t> padding_idx() const noexcept { return padding_idx_; }
  /// The largest norm of a row; by default none.
  [[nodiscard]] std::optional<double> max_norm() const noexcept { return max_norm_; }
  /// The p of that norm; by default 2.
  [[nodiscard]] double norm_type() const noexcept { return norm_type_; }
  /// Whether the gradient of a row is divided by the count of its index; by default false.
  [[nodiscard]] bool scale_grad_by_freq() const noexcept { return scale_grad_by_freq_; }
  /// Whether the gradient is sparse; by default false.
  [[nodiscard]] bool sparse() const noexcept { return sparse_; }

 private:
  Options& self() { return static_cast<Options&>(*this); }

  std::optional<std::int64_t> padding_idx_;
  std::optional<double> max_norm_;
  double norm_type_ = 2;
  bool scale_grad_by_freq_ = false;
  bool sparse_ = false;
};

}  // namespace d2l::detail

namespace d2l::nn {

/// The options of Embedding.
class EmbeddingOptions : public d2l::detail::EmbeddingLookupOf<EmbeddingOptions> {
 public:
  /// A table of `num_embeddings` rows of `embedding_dim` numbers.
  EmbeddingOptions(std::int64_t num_embeddings, std::int64_t embedding_dim)
      : num_embeddings_(num_embeddings), embedding_dim_(embedding_dim) {}
  /// The weight; by default it is drawn.
  EmbeddingOptions& _weight(const Tensor& weight) {
    weight_ = weight;
    return *this;
  }
  /// The device of the weight.
  EmbeddingOptions& device(Device device) {
    parameters_ = parameters_.device(device);
    return *this;
  }
  /// The dtype of the weight; floating point.
  EmbeddingOptions& dtype(ScalarType dtype) {
    parameters_ = parameters_.dtype(dtype);
    return *this;
  }
  /// The count of rows.
  [[nodiscard]] std::int64_t num_embeddings() const noexcept { return num_embeddings_; }
  /// The numbers of a row.
  [[nodiscard]] std::int64_t embedding_dim() const noexcept { return embedding_dim_; }
  /// The weight, or an undefined tensor.
  [[nodiscard]] const Tensor& _weight() const noexcept { return weight_; }
  /// Device and dtype of the weight.
  [[nodiscard]] const TensorOptions& parameters() const noexcept { return parameters_; }

 private:
  std::int64_t num_embeddings_;
  std::int64_t embedding_dim_;
  Tensor weight_;
  TensorOptions parameters_;
};

/// The options of Embedding::from_pretrained().
class EmbeddingFromPretrainedOptions : public d2l::detail::EmbeddingLookupOf<EmbeddingFromPretrainedOptions> {
 public:
  /// Whether the weight does not require gradients.
  EmbeddingFromPretrainedOptions& freeze(bool freeze) {
    freeze_ = freeze;
    return *this;
  }
  /// Whether the weight does not require gradients; by default true.
  [[nodiscard]] bool freeze() const noexcept { return freeze_; }

 private:
  bool freeze_ = true;
};

}  // namespace d2l::nn
