// SPDX-License-Identifier: MIT
/// @file
/// Trainer: fits a model to data, on a GPU where there is one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "d2l/caller.h"
#include "d2l/data.h"
#include "d2l/device.h"
#include "d2l/model.h"
#include "d2l/optim.h"

namespace d2l {

/// What a Trainer is told.
struct TrainerOptions {
  int max_epochs = 1;            ///< how often it goes through the data
  int num_gpus = 0;              ///< how many GPUs it may use; it takes those that there are
  double gradient_clip_val = 0;  ///< how long all gradients together may be; 0 for any length
};

/// Goes through the data epoch by epoch. No step copies anything to the host or waits for a device; at the end of an
/// epoch the board's values come in one copy, and one line says how it went. On a terminal a bar shows the way there.
class Trainer {
 public:
  ///@{
  /// ValueError for a count below 0, or a clip value that is negative or no number. Says so when there are fewer GPUs
  /// than were asked for.
  explicit Trainer(const TrainerOptions& options, detail::Caller caller = detail::Caller::here());
  explicit Trainer(int max_epochs, int num_gpus = 0, double gradient_clip_val = 0,
                   detail::Caller caller = detail::Caller::here())
      : Trainer(TrainerOptions{max_epochs, num_gpus, gradient_clip_val}, caller) {}
  ///@}
  /// Its model forgets it.
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  /// Takes the loaders of the data, which send their batches ahead to the first GPU. ValueError when there is no batch
  /// to train with.
  void prepare_data(const DataModule& data);
  /// Makes itself the model's trainer, gives its board an empty page from 0 to max_epochs, and moves the parameters to
  /// the first GPU; without a GPU they stay where they are. ValueError for a model without parameters.
  void prepare_model(Model& model);
  /// The batch on the first GPU; the batch itself when it is there already, or when there is no GPU.
  [[nodiscard]] Batch prepare_batch(const Batch& batch) const;
  /// Prepares data and model, makes the optimizer, and trains for max_epochs epochs. Errors as prepare_data() and
  /// prepare_model(), and ValueError where the model makes no optimizer.
  void fit(Model& model, const DataModule& data, detail::Caller caller = detail::Caller::here());
  /// Trains for one epoch more, then validates. ValueError before fit(), and once the model is gone.
  void fit_epoch(detail::Caller caller = detail::Caller::here());

  /// What it was told.
  [[nodiscard]] const TrainerOptions& options() const noexcept { return options_; }
  /// Its GPUs: the first min(asked, present). It trains on the first of them.
  [[nodiscard]] const std::vector<Device>& gpus() const noexcept { return gpus_; }
  /// How many epochs are done.
  [[nodiscard]] int epoch() const noexcept { return epoch_; }
  /// How many batches were trained with since fit() began.
  [[nodiscard]] std::int64_t train_batch_idx() const noexcept { return train_batch_idx_; }
  /// How many batches an epoch trains with; 0 before there is data.
  [[nodiscard]] std::int64_t num_train_batches() const noexcept { return train_loader_ ? train_loader_->size() : 0; }
  /// How many batches an epoch validates with; 0 where there is none.
  [[nodiscard]] std::int64_t num_val_batches() const noexcept { return val_loader_ ? val_loader_->size() : 0; }
  /// What fit() made; ValueError before.
  [[nodiscard]] optim::Optimizer& optimizer() const;

 private:
  friend class Model;
  void train_on(const Batch& batch);
  void let_go_of_model() noexcept;

  TrainerOptions options_;
  std::vector<Device> gpus_;
  std::optional<DataLoader> train_loader_;
  std::optional<DataLoader> val_loader_;
  Model* model_ = nullptr;
  std::unique_ptr<optim::Optimizer> optimizer_;
  std::vector<Tensor> parameters_;  // for clipping
  int epoch_ = 0;
  std::int64_t train_batch_idx_ = 0;
};

}  // namespace d2l
