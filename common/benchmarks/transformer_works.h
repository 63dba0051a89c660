// SPDX-License-Identifier: MIT
// Attention, and a step of a small transformer, in the names that d2l and LibTorch share; works.h includes this file,
// after the alias `library`.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "work.h"

namespace {

/// Attention of 8 heads of size 64 over n positions, without gradients.
struct AttentionWork : Work {
  explicit AttentionWork(std::int64_t n)
      : q(library::randn({1, 8, n, 64})), k(library::randn({1, 8, n, 64})), v(library::randn({1, 8, n, 64})) {}
  void run() override { y = library::scaled_dot_product_attention(q, k, v); }
  library::Tensor q, k, v, y;
};

/// A block of section 5.10: 4 heads of 16 numbers, and a perceptron.
struct TransformerBlock : library::nn::Module {
  static constexpr std::int64_t width = 64;
  static constexpr std::int64_t heads = 4;
  TransformerBlock() {
    register_module("norm1", norm1);
    register_module("qkv", qkv);
    register_module("output", output);
    register_module("norm2", norm2);
    register_module("wide", wide);
    register_module("narrow", narrow);
  }
  library::Tensor result_of(const library::Tensor& x) {
    const library::Tensor all =
        qkv(norm1(x)).view({x.size(0), x.size(1), 3, heads, width / heads}).permute({2, 0, 3, 1, 4});
    const library::Tensor mixed = library::scaled_dot_product_attention(all[0], all[1], all[2], {}, 0, true);
    const library::Tensor y = x + output(mixed.transpose(1, 2).flatten(2));
    return y + narrow(library::relu(wide(norm2(y))));
  }
  library::nn::LayerNorm norm1{library::nn::LayerNormOptions({width})};
  library::nn::Linear qkv{width, 3 * width};
  library::nn::Linear output{width, width};
  library::nn::LayerNorm norm2{library::nn::LayerNormOptions({width})};
  library::nn::Linear wide{width, 4 * width};
  library::nn::Linear narrow{4 * width, width};
};

/// The model of section 5.10 in float32: 70 characters, windows of 32.
struct SmallLanguageModel : library::nn::Module {
  SmallLanguageModel() {
    register_module("characters", characters);
    register_module("places", places);
    register_module("block", block);
    register_module("norm", norm);
    register_module("head", head);
  }
  library::Tensor scores(const library::Tensor& x) {
    return head(norm(block->result_of(characters(x) + places->weight)));
  }
  library::nn::Embedding characters{70, TransformerBlock::width};
  library::nn::Embedding places{32, TransformerBlock::width};
  std::shared_ptr<TransformerBlock> block = std::make_shared<TransformerBlock>();
  library::nn::LayerNorm norm{library::nn::LayerNormOptions({TransformerBlock::width})};
  library::nn::Linear head{TransformerBlock::width, 70};
};

/// A step of AdamW with n windows and clipped gradients.
struct LanguageModelStepWork : Work {
  explicit LanguageModelStepWork(std::int64_t n)
      : optimizer(model.parameters(), library::optim::AdamWOptions(1e-3)),
        windows(library::randint(70, {n, 33}, library::kLong)) {}
  void run() override {
    optimizer.zero_grad();
    const library::Tensor scores = model.scores(windows.narrow(1, 0, 32));
    loss = criterion(scores.flatten(0, 1), windows.narrow(1, 1, 32).flatten());
    loss.backward();
    library::nn::utils::clip_grad_norm_(model.parameters(), 1.0);
    optimizer.step();
  }
  SmallLanguageModel model;
  library::nn::CrossEntropyLoss criterion;
  library::optim::AdamW optimizer;
  library::Tensor windows, loss;
};

/// Null for another name.
std::unique_ptr<Work> make_transformer_work(std::string_view name, std::int64_t n) {
  if (name == "attention") return std::make_unique<AttentionWork>(n);
  if (name == "language_model_step") return std::make_unique<LanguageModelStepWork>(n);
  return nullptr;
}

}  // namespace
