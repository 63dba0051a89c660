// SPDX-License-Identifier: MIT
// Cases of derivatives: losses and attention.
#pragma once

#include <vector>

#include "gradients/gradient_checks.h"

namespace d2l::testing::gradients {

/// Losses of each element with a target, and of classes with weights.
inline void add_losses(std::vector<Case>& all, Reduction::Reduction reduction) {
  const Input x{{2, 3}};
  const Input turned{{2, 3}, any, reversed};
  const Input row{{3}, any, strided};  // float64: a step of float32 crosses the kinks
  const auto add = [&](const char* derivative, const char* what, const Function& function) {
    all.push_back({derivative, what, {x, turned}, function});
    all.push_back({derivative, what, {turned, row}, function});
  };
  const auto weights = [](const Tensors& t) { return tensor({0.5, 2.0, 3.0}, kDouble).to(t[0].device()); };
  add("AbsBackward0", "l1_loss", [=](const Tensors& t) { return l1_loss(t[0], t[1], reduction); });
  add("HuberLossBackward0", "", [=](const Tensors& t) { return huber_loss(t[0], t[1], reduction, 0.75); });
  add("SmoothL1LossBackward0", "", [=](const Tensors& t) { return smooth_l1_loss(t[0], t[1], reduction, 0.25); });
  for (const bool weighted : {false, true}) {
    for (const bool positive : {false, true}) {
      all.push_back({"BinaryCrossEntropyWithLogitsBackward0", "", {turned, x}, [=](const Tensors& t) {
                       return binary_cross_entropy_with_logits(t[0], t[1], weighted ? weights(t) : Tensor(),
                                                               positive ? weights(t) * 0.5 : Tensor(), reduction);
                     }});
    }
  }
  const auto classes = [](const TensorData& data, const Tensors& t) { return tensor(data).to(t[0].device()); };
  all.push_back({"NllLossBackward0", "weights", {{{4, 3}, any, reversed}}, [=](const Tensors& t) {
                   return nll_loss(t[0], classes({2, 0, 1, 0}, t), weights(t), reduction, 0);
                 }});
  all.push_back({"NllLoss2DBackward0", "weights and three dimensions", {{{2, 3, 2}}}, [=](const Tensors& t) {
                   return nll_loss(t[0], classes({{2, 0}, {1, -100}}, t), weights(t), reduction);
                 }});
  all.push_back({"NllLossBackward0", "smoothed", {{{4, 3}, any, reversed}}, [=](const Tensors& t) {
                   return cross_entropy_loss(t[0], classes({2, 0, 1, 0}, t), {}, reduction, 2, 0.25);
                 }});
  all.push_back(
      {"NllLoss2DBackward0", "smoothed with weights", {{{2, 3, 2, 1}}}, [=](const Tensors& t) {
         return cross_entropy_loss(t[0], classes({{{2}, {0}}, {{1}, {-100}}}, t), weights(t), reduction, -100, 0.5);
       }});
  all.push_back({"LogSoftmaxBackward0", "probabilities", {{{2, 3}}, {{2, 3}, any, reversed}}, [=](const Tensors& t) {
                   return cross_entropy_loss(t[0], t[1], {}, reduction);
                 }});
  all.push_back({"LogSoftmaxBackward0", "smoothed probabilities", {{{3}}, {{3}}}, [=](const Tensors& t) {
                   return cross_entropy_loss(t[0], t[1], weights(t), reduction, -100, 0.25);
                 }});
}

inline std::vector<Case> loss_cases() {
  std::vector<Case> all;
  for (const auto reduction : {Reduction::Mean, Reduction::Sum, Reduction::None}) add_losses(all, reduction);
  const Input query{{2, 1, 4, 3}};
  const Input key{{2, 5, 3}, any, reversed};
  const Input value{{2, 2, 5, 2}};
  const auto add = [&](const char* what, const Function& function) {
    all.push_back({"SoftmaxBackward0", what, {query, key, value}, function});
  };
  add("attention", [](const Tensors& t) { return scaled_dot_product_attention(t[0], t[1], t[2], {}, 0, false, 0.75); });
  add("causal attention", [](const Tensors& t) { return scaled_dot_product_attention(t[0], t[1], t[2], {}, 0, true); });
  add("attention with a row without keys", [](const Tensors& t) {
    auto mask = ones({4, 5}, TensorOptions(kBool).device(t[0].device()));
    mask[1].fill_(false);
    mask[2][3].fill_(false);
    return scaled_dot_product_attention(t[0], t[1], t[2], mask);
  });
  all.push_back({"SoftmaxBackward0", "attention by its mask", {query, key, value, {{4, 5}}}, [](const Tensors& t) {
                   return scaled_dot_product_attention(t[0], t[1], t[2], t[3]);
                 }});
  return all;
}

}  // namespace d2l::testing::gradients
