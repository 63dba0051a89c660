// SPDX-License-Identifier: MIT
/// @file
/// Classifier: a model with the loss and the accuracy of classes.
#pragma once

#include <memory>

#include "d2l/model.h"

namespace d2l {

/// A model whose prediction has a score for each class: derived classes define forward(). The loss is
/// cross_entropy_loss(); validation plots the loss, and the part of the predictions that is correct as acc.
class Classifier : public Model {
 public:
  /// Trained by stochastic gradient descent with the learning rate `rate`.
  explicit Classifier(double rate = 0.1) : lr(rate) {}

  ///@{
  /// −log softmax(scores) at the class: scores (…, classes), and y of the same shape without the last one. The mean, or
  /// one loss for each class if `averaged` is false. ShapeError for other shapes.
  Tensor loss(const Tensor& prediction, const Tensor& y) override { return loss(prediction, y, true); }
  [[nodiscard]] Tensor loss(const Tensor& prediction, const Tensor& y, bool averaged) const;
  ///@}
  /// The part of the predictions whose largest score is that of the class, or 1 and 0 for each if `averaged` is false;
  /// float32, without a record. ShapeError for other shapes.
  [[nodiscard]] Tensor accuracy(const Tensor& prediction, const Tensor& y, bool averaged = true) const;
  /// Plots the loss and the accuracy of a batch as val_loss and val_acc; ValueError as Model::training_step().
  void validation_step(const Batch& batch) override;
  /// SGD of the parameters.
  std::unique_ptr<optim::Optimizer> configure_optimizers() override;

  double lr;  ///< the learning rate
};

}  // namespace d2l
