// SPDX-License-Identifier: MIT
/// @file
/// Model: a module with a loss, an optimizer and training steps.
#pragma once

#include <memory>
#include <string>

#include "d2l/board.h"
#include "d2l/data.h"
#include "d2l/nn/module.h"
#include "d2l/optim.h"

namespace d2l {

class Trainer;

/// The model of a Trainer: derived classes define forward(), loss() and configure_optimizers(); the steps have
/// defaults.
class Model : public nn::Module {
 public:
  using nn::Module::Module;
  /// Removes itself from its trainer.
  ~Model() override;

  /// The loss of a prediction, a tensor with one element.
  virtual Tensor loss(const Tensor& prediction, const Tensor& target) = 0;
  /// Creates the optimizer; called after the parameters have moved to their device.
  virtual std::unique_ptr<optim::Optimizer> configure_optimizers() = 0;
  /// Returns the loss of a batch of inputs and targets, and plots it as train_loss. ValueError for a batch of any other
  /// form; a model that takes such batches overrides this.
  virtual Tensor training_step(const Batch& batch);
  /// Plots the loss of a batch as val_loss; records no gradients.
  virtual void validation_step(const Batch& batch);

  /// Draws a value on the board without waiting for it: as train_<key> at the current batch, or as val_<key> at the end
  /// of the epoch. ValueError unless a trainer has prepared the model.
  void plot(const std::string& key, const Tensor& value, bool train);

  /// The trainer; null before prepare_model() and after the trainer is destroyed.
  [[nodiscard]] const Trainer* trainer() const noexcept { return trainer_; }

  ProgressBoard board;           ///< the board of plot(); fit() clears it
  int plot_train_per_epoch = 2;  ///< points of the training curve in each epoch
  int plot_valid_per_epoch = 1;  ///< points of the validation curve in each epoch

 private:
  friend class Trainer;
  Tensor loss_of(const Batch& batch, const char* operation);

  Trainer* trainer_ = nullptr;
};

}  // namespace d2l
