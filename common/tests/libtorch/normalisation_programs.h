// SPDX-License-Identifier: MIT
// Programs of normalisations and embeddings, in the names that this library and LibTorch share.
#pragma once

#include <vector>

#include "training_programs.h"

namespace programs {

inline Values layer_normalisations() {
  namespace F = t::nn::functional;
  auto x = leaf(t::arange(24.0).to(t::kFloat64).reshape({2, 3, 4}).sin());
  auto weight = leaf(t::arange(4.0).to(t::kFloat64) - 1.5);
  auto bias = leaf(t::arange(4.0).to(t::kFloat64));
  Values values;
  note_gradients(values, {t::layer_norm(x, {4}, weight, bias, 0.25)}, x, weight, bias);
  note_gradients(values, {F::layer_norm(x, F::LayerNormFuncOptions({3, 4}).eps(0.5))}, x);
  t::nn::LayerNorm layer(t::nn::LayerNormOptions({3, 4}).eps(1e-3));
  const auto input = x.detach().to(t::kFloat32);
  const auto y = layer(input);
  y.pow(2).sum().backward();
  note(values, y.detach(), layer->weight.grad(), layer->bias.grad(), layer->options.eps());
  return values;
}

inline Values batch_normalisations() {
  namespace F = t::nn::functional;
  auto x = leaf(t::arange(24.0).to(t::kFloat64).reshape({2, 3, 4}).sin());
  auto weight = leaf(t::arange(3.0).to(t::kFloat64) - 1.5);
  auto bias = leaf(t::arange(3.0).to(t::kFloat64));
  const auto mean = t::zeros({3}, t::kFloat64);
  const auto var = t::ones({3}, t::kFloat64);
  Values values;
  note_gradients(values, {t::batch_norm(x, weight, bias, mean, var, true, 0.25, 1e-3, false)}, x, weight, bias);
  note_gradients(values, {t::batch_norm(x, weight, bias, mean, var, false, 0.25, 1e-3, false)}, x, weight, bias);
  const auto options = F::BatchNormFuncOptions().weight(weight).training(true).momentum(0.5);
  note_gradients(values, {F::batch_norm(x, mean, var, options)}, x, weight);
  note(values, mean, var);
  t::nn::BatchNorm1d layer(t::nn::BatchNormOptions(3).momentum(0.2));
  t::nn::BatchNorm2d images(t::nn::BatchNorm2dOptions(3).affine(false));
  const auto input = x.detach().to(t::kFloat32);
  for (int i = 0; i < 3; ++i) note(values, layer(input * (i + 1)).detach(), images(input.unsqueeze(3)));
  layer->eval();
  note(values, layer(input).detach(), layer->running_mean, layer->running_var,
       layer->num_batches_tracked.item<std::int64_t>(), images->running_var, layer->buffers().size());
  layer->reset_running_stats();
  note(values, layer->running_mean, layer->num_batches_tracked.item<std::int64_t>());
  return values;
}

inline Values embeddings() {
  namespace F = t::nn::functional;
  auto table = leaf(t::arange(12.0).reshape({4, 3}));
  const auto list = t::tensor({{0, 2, 2}, {3, 0, 2}});
  Values values;
  note_gradients(values,
                 {t::embedding(table, list), t::embedding(table, list, 2), t::embedding(table, list, -1, true),
                  F::embedding(list, table, F::EmbeddingFuncOptions().padding_idx(-4))},
                 table);
  const auto layer =
      t::nn::Embedding::from_pretrained(table.detach().clone(), t::nn::EmbeddingFromPretrainedOptions().max_norm(5.0));
  auto copy = layer;
  note(values, copy(list), copy->weight, copy->weight.requires_grad());
  t::nn::Embedding drawn(t::nn::EmbeddingOptions(5, 2).padding_idx(1));
  note(values, drawn->weight[1].detach(), drawn->options.num_embeddings(), drawn->options.embedding_dim());
  return values;
}

}  // namespace programs
