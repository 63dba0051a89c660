// SPDX-License-Identifier: MIT
/// @file
/// Model: a module that says how it is trained.
#pragma once

#include <memory>
#include <string>

#include "d2l/board.h"
#include "d2l/data.h"
#include "d2l/nn/module.h"
#include "d2l/optim.h"

namespace d2l {

class Trainer;

/// What a Trainer trains: forward(), loss() and configure_optimizers() are the model's own; the steps have a default.
class Model : public nn::Module {
 public:
  using nn::Module::Module;
  /// Its trainer forgets it.
  ~Model() override;

  /// How far a prediction is from its target: a tensor with one element.
  virtual Tensor loss(const Tensor& prediction, const Tensor& target) = 0;
  /// What changes the parameters; made after they have moved to their device.
  virtual std::unique_ptr<optim::Optimizer> configure_optimizers() = 0;
  /// The loss of a batch, to be differentiated, and plotted as train_loss. ValueError unless the batch is inputs and
  /// targets; a model with other batches overrides it.
  virtual Tensor training_step(const Batch& batch);
  /// Plots the loss of a batch as val_loss; nothing is recorded.
  virtual void validation_step(const Batch& batch);

  /// Puts a value that is still on its device on the board, as train_<key> where training has come to, or as val_<key>
  /// at the end of the epoch. ValueError for a model that no trainer has prepared.
  void plot(const std::string& key, const Tensor& value, bool train);

  /// Who trains this model; null before prepare_model(), and once the trainer is gone.
  [[nodiscard]] const Trainer* trainer() const noexcept { return trainer_; }

  ProgressBoard board;           ///< what plot() draws on; each fit() begins with an empty one
  int plot_train_per_epoch = 2;  ///< how many points an epoch has on the training curve
  int plot_valid_per_epoch = 1;  ///< how many it has on the validation curve

 private:
  friend class Trainer;
  Tensor loss_of(const Batch& batch, const char* operation);

  Trainer* trainer_ = nullptr;
};

}  // namespace d2l
