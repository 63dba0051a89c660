// SPDX-License-Identifier: MIT
// Programs of losses and activations, in the names that this library and LibTorch share.
#pragma once

#include "training_programs.h"

namespace programs {

inline Values losses_of_elements() {
  namespace functional = t::nn::functional;
  auto x = leaf(t::tensor({{0.5, -1.0, 2.0}, {1.5, 0.25, -30.0}}));
  auto y = leaf(t::tensor({{1.0, 0.0, 2.5}, {-1.0, 0.5, 0.0}}));
  auto p = leaf(t::tensor({{1.0, 0.0, 0.25}, {0.75, 0.5, 1.0}}));
  const auto weight = t::tensor({0.5, 2.0, 1.5});
  t::nn::L1Loss absolute;
  t::nn::SmoothL1Loss smooth(t::nn::SmoothL1LossOptions().beta(0.5));
  t::nn::HuberLoss huber(t::nn::HuberLossOptions(t::kNone).delta(0.75));
  t::nn::BCEWithLogitsLoss logits;
  t::nn::BCEWithLogitsLoss weighted(t::nn::BCEWithLogitsLossOptions().weight(weight).reduction(t::kSum));
  t::nn::BCEWithLogitsLoss positive(t::nn::BCEWithLogitsLossOptions().pos_weight(weight).reduction(t::kNone));
  Values values;
  note_gradients(values,
                 {absolute(x, y), smooth(x, y), huber(x, y), t::l1_loss(x, y, t::Reduction::Sum),
                  t::smooth_l1_loss(x, y, t::Reduction::None, 2), t::huber_loss(x, y),
                  functional::l1_loss(x, y, functional::L1LossFuncOptions(t::kNone)),
                  functional::smooth_l1_loss(x, y, functional::SmoothL1LossFuncOptions(t::kSum), 3),
                  functional::huber_loss(x, y, functional::HuberLossFuncOptions().reduction(t::kSum).delta(2))},
                 x, y);
  note_gradients(
      values,
      {logits(x, p), weighted(x, p), positive(x, p), t::binary_cross_entropy_with_logits(x, p, weight, weight),
       functional::binary_cross_entropy_with_logits(
           x, p, functional::BinaryCrossEntropyWithLogitsFuncOptions().reduction(t::kNone))},
      x);
  return values;
}

inline Values losses_of_classes() {
  namespace functional = t::nn::functional;
  auto x = leaf(t::tensor({{0.5, -1.0, 2.0}, {1.5, 0.25, -0.75}}));
  auto pixels = leaf(t::arange(24.0).reshape({2, 3, 2, 2}).sin());
  const auto classes = t::tensor({2, 0});
  const auto places = t::tensor({0, 1, 2, -100, 1, 1, 0, 2}).reshape({2, 2, 2});
  const auto probabilities = t::tensor({{0.25, 0.25, 0.5}, {1.0, 0.0, 0.0}});
  const auto weight = t::tensor({0.5, 2.0, 1.5});
  t::nn::NLLLoss plain;
  t::nn::NLLLoss weighted(t::nn::NLLLossOptions().weight(weight).ignore_index(0).reduction(t::kSum));
  t::nn::CrossEntropyLoss smoothed(t::nn::CrossEntropyLossOptions().label_smoothing(0.25));
  t::nn::CrossEntropyLoss both(t::nn::CrossEntropyLossOptions().label_smoothing(0.5).weight(weight));
  Values values;
  note_gradients(
      values,
      {plain(x, classes), weighted(x, classes), smoothed(x, classes), both(x, classes), both(x, probabilities),
       smoothed(x, probabilities), t::nll_loss(x, classes, weight),
       t::cross_entropy_loss(x, classes, weight, t::Reduction::Sum),
       functional::nll_loss(x, classes, functional::NLLLossFuncOptions().reduction(t::kNone)),
       functional::cross_entropy(x, probabilities, functional::CrossEntropyFuncOptions().reduction(t::kNone))},
      x);
  note_gradients(values,
                 {plain(pixels, places), smoothed(pixels, places), both(pixels, places),
                  t::cross_entropy_loss(pixels, places, weight, t::Reduction::None, -100, 0.25),
                  functional::nll_loss(pixels, places, functional::NLLLossFuncOptions().weight(weight))},
                 pixels);
  return values;
}

inline Values layers_of_activations() {
  namespace functional = t::nn::functional;
  auto x = leaf(t::tensor({{0.5, -1.0, 2.0}, {1.5, 0.25, -0.75}}));
  t::nn::Sigmoid sigmoid;
  t::nn::Tanh tangent;
  t::nn::GELU unit(t::nn::GELUOptions().approximate("tanh"));
  t::nn::SiLU silu;
  t::nn::Softmax softmax(1);
  t::nn::LogSoftmax log_softmax(t::nn::LogSoftmaxOptions(0));
  t::nn::LeakyReLU leaky(t::nn::LeakyReLUOptions().negative_slope(0.1));
  t::nn::ELU elu(t::nn::ELUOptions().alpha(0.5).inplace(true));
  t::nn::Softplus softplus(t::nn::SoftplusOptions().beta(2).threshold(3));
  Values values;
  note_gradients(
      values,
      {sigmoid(x), tangent(x), unit(x), silu(x), softmax(x), log_softmax(x), leaky(x), elu(x * 1), softplus(x),
       functional::gelu(x), functional::silu(x), functional::softmax(x, 0),
       functional::softmax(x, functional::SoftmaxFuncOptions(-1).dtype(t::kDouble)), functional::log_softmax(x, 1),
       functional::softplus(x), functional::leaky_relu(x, functional::LeakyReLUFuncOptions().negative_slope(0.5)),
       functional::elu(x, functional::ELUFuncOptions().alpha(2))},
      x);
  note(values, functional::one_hot(t::tensor({1, 0}), 3));
  return values;
}

}  // namespace programs
