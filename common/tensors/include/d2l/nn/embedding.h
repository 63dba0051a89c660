// SPDX-License-Identifier: MIT
/// @file
/// Embedding: a table with a row for each word or other index.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "d2l/nn/embedding_options.h"
#include "d2l/nn/module_holder.h"

namespace d2l::nn {

/// Indices of any shape → the rows of the weight at them.
class EmbeddingImpl : public Module {
 public:
  ///@{
  /// Draws the weight, unless the options have one; ShapeError for negative sizes and for a weight of another shape,
  /// ValueError for a padding_idx outside the table.
  EmbeddingImpl(std::int64_t num_embeddings, std::int64_t embedding_dim)
      : EmbeddingImpl(EmbeddingOptions(num_embeddings, embedding_dim)) {}
  explicit EmbeddingImpl(const EmbeddingOptions& chosen);
  ///@}

  /// (…) int64 or int32 → (…, embedding_dim); errors as embedding().
  Tensor forward(const Tensor& indices) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;
  /// Draws the weight from the normal distribution; the row padding_idx becomes 0.
  void reset_parameters();

  EmbeddingOptions options;  ///< as given, with a padding_idx that is not negative
  Tensor weight;             ///< (num_embeddings, embedding_dim)
};

/// Holds an EmbeddingImpl: `nn::Embedding(1000, 8)`.
class Embedding : public ModuleHolder<EmbeddingImpl> {
 public:
  using ModuleHolder<EmbeddingImpl>::ModuleHolder;
  /// The module that it holds.
  using Impl [[maybe_unused]] = EmbeddingImpl;
  /// A layer with the rows of `embeddings` (n, d) as its weight, which shares their elements, and which by default
  /// does not require gradients. ShapeError unless it has two dimensions.
  static Embedding from_pretrained(const Tensor& embeddings, const EmbeddingFromPretrainedOptions& options = {});
};

namespace functional {

/// The options of embedding().
class EmbeddingFuncOptions : public d2l::detail::EmbeddingLookupOf<EmbeddingFuncOptions> {};

/// The rows of weight (n, d) at int64 or int32 indices `input` of any shape. ValueError for a padding_idx outside
/// the table; errors as d2l::embedding().
Tensor embedding(const Tensor& input, const Tensor& weight, const EmbeddingFuncOptions& options = {});

}  // namespace functional
}  // namespace d2l::nn
