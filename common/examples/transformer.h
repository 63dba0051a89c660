// SPDX-License-Identifier: MIT
/// @file
/// A transformer (Vaswani et al., 2017) that writes one symbol for each symbol that it reads.
#pragma once

#include <cstdint>

#include "d2l/d2l.h"

namespace d2l::examples {

/// Each position takes from all positions a mean of their values, weighted by how well its query fits their keys.
class MultiHeadAttentionImpl : public nn::Module {
 public:
  /// `heads` means beside each other, of width / heads numbers each; forward() raises a ShapeError unless `heads`
  /// divides `width`. `dropout` is the probability that a weight becomes 0 in training. With `causal`, no position
  /// takes from later ones.
  MultiHeadAttentionImpl(std::int64_t width, std::int64_t heads, double dropout, bool causal = false)
      : query(register_module("query", nn::Linear(width, width))),
        key(register_module("key", nn::Linear(width, width))),
        value(register_module("value", nn::Linear(width, width))),
        output(register_module("output", nn::Linear(width, width))),
        heads_(heads),
        dropout_(dropout),
        causal_(causal) {}

  /// (N, length, width) → (N, length, width); errors of the layers.
  Tensor forward(const Tensor& x) override {
    const Tensor attended = scaled_dot_product_attention(split(query(x)), split(key(x)), split(value(x)), {},
                                                         is_training() ? dropout_ : 0, causal_);
    return output(attended.transpose(1, 2).reshape(x.sizes()));
  }

  nn::Linear query;   ///< what a position looks for
  nn::Linear key;     ///< what it is found by
  nn::Linear value;   ///< what the others take from it
  nn::Linear output;  ///< joins the heads

 private:
  /// (N, length, width) → (N, heads, length, width / heads).
  [[nodiscard]] Tensor split(const Tensor& x) const {
    return x.view({x.size(0), x.size(1), heads_, x.size(2) / heads_}).transpose(1, 2);
  }

  std::int64_t heads_;
  double dropout_;
  bool causal_;
};
/// Holds a MultiHeadAttentionImpl: `MultiHeadAttention(64, 4, 0.1)`.
D2L_MODULE(MultiHeadAttention);

/// Attention, then a perceptron for each position. Each is added to its input, which is normalised before.
class TransformerBlockImpl : public nn::Module {
 public:
  /// `hidden` is the width inside the perceptron; the others are those of MultiHeadAttention.
  TransformerBlockImpl(std::int64_t width, std::int64_t heads, std::int64_t hidden, double dropout, bool causal = false)
      : norm1(register_module("norm1", nn::LayerNorm(nn::LayerNormOptions({width})))),
        attention(register_module("attention", MultiHeadAttention(width, heads, dropout, causal))),
        norm2(register_module("norm2", nn::LayerNorm(nn::LayerNormOptions({width})))),
        mlp(register_module("mlp", nn::Sequential(nn::Linear(width, hidden), nn::GELU(), nn::Linear(hidden, width)))),
        drop(register_module("drop", nn::Dropout(dropout))) {}

  /// (N, length, width) → (N, length, width); errors of the layers.
  Tensor forward(const Tensor& input) override {
    const Tensor x = input + drop(attention(norm1(input)));
    return x + drop(mlp->forward(norm2(x)));
  }

  nn::LayerNorm norm1;           ///< before the attention
  MultiHeadAttention attention;  ///< between the positions
  nn::LayerNorm norm2;           ///< before the perceptron
  nn::Sequential mlp;            ///< for each position alone
  nn::Dropout drop;              ///< of what is added
};
/// Holds a TransformerBlockImpl: `TransformerBlock(64, 4, 256, 0.1)`.
D2L_MODULE(TransformerBlock);

/// The sizes of a Transformer.
struct TransformerOptions {
  std::int64_t symbols = 10;  ///< the number of different symbols
  std::int64_t length = 8;    ///< the length of the longest sequence
  std::int64_t width = 64;    ///< the numbers that describe a position
  std::int64_t heads = 4;     ///< the heads of each attention
  std::int64_t hidden = 256;  ///< the width inside each perceptron
  std::int64_t layers = 2;    ///< the number of blocks
  double dropout = 0;         ///< the probability of each Dropout
  bool causal = false;        ///< whether no position sees later ones
};

/// Sequences of symbols (N, length), int64 → one score for each symbol at each position (N, length, symbols).
class TransformerImpl : public nn::Module {
 public:
  /// With these sizes.
  explicit TransformerImpl(const TransformerOptions& chosen = {})
      : options(chosen),
        symbols(register_module("symbols", nn::Embedding(options.symbols, options.width))),
        positions(register_module("positions", nn::Embedding(options.length, options.width))),
        drop(register_module("drop", nn::Dropout(options.dropout))),
        blocks(register_module("blocks", nn::Sequential())),
        norm(register_module("norm", nn::LayerNorm(nn::LayerNormOptions({options.width})))),
        head(register_module("head", nn::Linear(options.width, options.symbols))),
        indices(register_buffer("indices", arange(options.length))) {
    for (std::int64_t i = 0; i < options.layers; ++i) {
      blocks->push_back(
          TransformerBlock(options.width, options.heads, options.hidden, options.dropout, options.causal));
    }
  }

  /// (N, length), int64 → (N, length, symbols); ShapeError for a sequence that is too long, errors of the layers.
  Tensor forward(const Tensor& sequences) override {
    const Tensor places = positions(indices.narrow(0, 0, sequences.size(1)));
    const Tensor x = drop(symbols(sequences) + places);
    return head(norm(blocks->forward(x)));
  }

  TransformerOptions options;  ///< as given
  nn::Embedding symbols;       ///< describes a symbol
  nn::Embedding positions;     ///< describes a position
  nn::Dropout drop;            ///< of these descriptions
  nn::Sequential blocks;       ///< the blocks
  nn::LayerNorm norm;          ///< of the result of the last block
  nn::Linear head;             ///< width → symbols
  Tensor indices;              ///< 0, 1, … on the device of the model, so that forward() copies nothing
};
/// Holds a TransformerImpl: `Transformer model;`
D2L_MODULE(Transformer);

}  // namespace d2l::examples
