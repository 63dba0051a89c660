// SPDX-License-Identifier: MIT
/// @file
/// Trainer: fits a model to data, on a GPU if there is one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "d2l/caller.h"
#include "d2l/data.h"
#include "d2l/device.h"
#include "d2l/model.h"
#include "d2l/optim.h"

namespace d2l {

/// The options of Trainer.
struct TrainerOptions {
  int max_epochs = 1;            ///< the number of epochs
  int num_gpus = 0;              ///< the number of GPUs to use, if there are that many
  double gradient_clip_val = 0;  ///< the largest norm of all gradients; 0 for no clipping
  double bucket_cap_mb = 25;     ///< with several GPUs, gradients are all-reduced in buckets of up to this many MiB
  /// A file that rank 0 writes after each epoch, and from which fit() continues if rank 0 finds it; none if empty. It
  /// has the parameters, the buffers, what the optimizer keeps, and the number of steps.
  std::string checkpoint = {};
  std::int64_t checkpoint_every_n_steps = 0;  ///< writes it also after this many training steps; 0 for epochs alone
};

/// Trains a model epoch by epoch. With several GPUs, each has the parameters and computes the gradients of its part of
/// every batch; their sums, weighted by the rows of the parts, are those of the whole batch. They are all-reduced in
/// buckets as soon as they are there. In a process group, the devices of all ranks divide the batches, which are the
/// same on all ranks, so that training does not depend on the number of ranks, unless the model has dropout or batch
/// normalisation. No step copies anything to the host or waits for a device, except to send gradients to other
/// processes and to write a checkpoint. At the end of an epoch, one copy fetches the board's values, and one line of
/// rank 0 reports them. On a terminal a bar shows the progress.
class Trainer {
 public:
  ///@{
  /// Prints a line if there are fewer GPUs than num_gpus; in a process group, those of local_devices() count.
  /// ValueError for a negative count, for a clip value that is negative or nan, and for buckets without a size.
  explicit Trainer(const TrainerOptions& options, detail::Caller caller = detail::Caller::here());
  explicit Trainer(int max_epochs, int num_gpus = 0, double gradient_clip_val = 0,
                   detail::Caller caller = detail::Caller::here())
      : Trainer(TrainerOptions{max_epochs, num_gpus, gradient_clip_val}, caller) {}
  ///@}
  /// Removes itself from its model.
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  /// Takes the data loaders, and prefetches their batches to the first GPU. ValueError if there is no training batch.
  void prepare_data(const DataModule& data);
  /// Becomes the model's trainer, clears its board, and moves the parameters to the first GPU, if there is one, and
  /// copies of them to the others. ValueError for a model without parameters.
  void prepare_model(Model& model);
  /// The batch on the first GPU; without a GPU, the batch itself.
  [[nodiscard]] Batch prepare_batch(const Batch& batch) const;
  /// Prepares data and model, creates the optimizer, and trains until there were max_epochs epochs, those before a
  /// checkpoint included. In a process group all ranks call it, and start with rank 0's parameters. Errors as
  /// prepare_data() and prepare_model(); ValueError if the model creates no optimizer, and for a sampler of the data in
  /// a process group; DistributedError if the ranks' models or data differ in shapes, or a rank ends; as load() for a
  /// checkpoint that does not fit.
  void fit(Model& model, const DataModule& data, detail::Caller caller = detail::Caller::here());
  /// Trains for one more epoch, then validates. ValueError before fit(), and after the model is destroyed.
  void fit_epoch(detail::Caller caller = detail::Caller::here());

  /// The options.
  [[nodiscard]] const TrainerOptions& options() const noexcept { return options_; }
  /// The GPUs: the first num_gpus, or all if there are fewer.
  [[nodiscard]] const std::vector<Device>& gpus() const noexcept { return gpus_; }
  /// The number of finished epochs.
  [[nodiscard]] int epoch() const noexcept { return epoch_; }
  /// The number of training steps since fit() began.
  [[nodiscard]] std::int64_t train_batch_idx() const noexcept { return train_batch_idx_; }
  /// The number of training batches in an epoch; 0 before prepare_data().
  [[nodiscard]] std::int64_t num_train_batches() const noexcept { return train_loader_ ? train_loader_->size() : 0; }
  /// The number of validation batches in an epoch.
  [[nodiscard]] std::int64_t num_val_batches() const noexcept { return val_loader_ ? val_loader_->size() : 0; }
  /// The optimizer; ValueError before fit(). With several GPUs, those of the others follow its options.
  [[nodiscard]] optim::Optimizer& optimizer() const;

 private:
  friend class Model;
  struct Parallel;
  void initialize(Model& model);
  void train_on(const Batch& batch);
  void train_on_all(const Batch& batch);
  void validate_on(const Batch& batch);
  void plot_collected(bool train);
  [[nodiscard]] std::string report();
  void write_checkpoint() const;
  /// With several devices, keeps a value of one part of a batch until those of the other parts are there.
  bool collect(const std::string& key, const Tensor& value);
  void release_model() noexcept;

  TrainerOptions options_;
  std::vector<Device> gpus_;
  std::optional<DataLoader> train_loader_;
  std::optional<DataLoader> val_loader_;
  Model* model_ = nullptr;
  std::unique_ptr<optim::Optimizer> optimizer_;
  std::vector<Tensor> parameters_;  // for clipping
  std::unique_ptr<Parallel> parallel_;
  int epoch_ = 0;
  std::int64_t train_batch_idx_ = 0;
  std::int64_t steps_to_skip_ = 0;  // of an epoch that a checkpoint interrupted
};

}  // namespace d2l
