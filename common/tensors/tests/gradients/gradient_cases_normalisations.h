// SPDX-License-Identifier: MIT
// Normalisations and embeddings, for the test of gradients.
#pragma once

#include "gradients/gradient_checks.h"

namespace d2l::testing::gradients {

inline std::vector<Case> normalisation_cases() {
  const auto rows = [](const Tensors& t) {
    return layer_norm(t[0], t[1].sizes(), t[1], t.size() > 2 ? t[2] : Tensor(), 0.1);
  };
  const auto batch = [](const Tensors& t) {
    return batch_norm(t[0], t[1], t.size() > 2 ? t[2] : Tensor(), {}, {}, true, 0.1, 0.1);
  };
  const auto running = [](const Tensors& t) {
    const auto mean = full({3}, 0.25, t[0].options());
    return batch_norm(t[0], t[1], t[2], mean, mean + 1, false, 0.1, 0.1);
  };
  const auto looked_up = [](std::int64_t padding, bool scales) {
    return [=](const Tensors& t) {
      return embedding(t[0], tensor({{0, 2, 2}, {3, 0, 2}}).to(t[0].device()), padding, scales);
    };
  };
  return {
      {"NativeLayerNormBackward0", "", {{{4, 5}}, {{5}}, {{5}}}, rows},
      {"NativeLayerNormBackward0", "two dimensions", {{{2, 3, 4}, any, reversed}, {{3, 4}}, {{3, 4}}}, rows},
      {"NativeLayerNormBackward0", "without a bias", {{{2, 37}, any, strided}, {{37}, any, strided}}, rows},
      {"NativeLayerNormBackward0",
       "without parameters",
       {{{3, 4}}},
       [](const Tensors& t) { return layer_norm(t[0], {4}); }},
      {"NativeBatchNormBackward0", "", {{{6, 3}}, {{3}}, {{3}}}, batch},
      {"NativeBatchNormBackward0", "images", {{{2, 3, 2, 3}, any, reversed}, {{3}, any, strided}, {{3}}}, batch},
      {"NativeBatchNormBackward0", "without a bias", {{{2, 3, 5}}, {{3}}}, batch},
      {"NativeBatchNormBackward0", "running statistics", {{{2, 3, 5}}, {{3}}, {{3}}}, running},
      {"NativeBatchNormBackward0",
       "without parameters",
       {{{6, 3}}},
       [](const Tensors& t) { return batch_norm(t[0], {}, {}, {}, {}, true, 0.1, 1e-5); }},
      {"EmbeddingBackward0", "", {{{4, 3}, any, reversed}}, looked_up(-1, false)},
  };
}

}  // namespace d2l::testing::gradients
