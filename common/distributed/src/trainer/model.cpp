// SPDX-License-Identifier: MIT
// The default steps of a model.
#include "d2l/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/trainer.h"

namespace d2l {

Model::~Model() {
  if (trainer_ != nullptr) trainer_->release_model();
}

Tensor Model::loss_of(const Batch& batch, const char* operation) {
  if (batch.size() != 2) {
    detail::fail<ValueError>(operation, fmt::format("the batch has {} tensors, not inputs and targets", batch.size()),
                             {}, "use a dataset of two tensors, or override the step");
  }
  return loss(forward(batch[0]), batch[1]);
}

Tensor Model::training_step(const Batch& batch) {
  auto result = loss_of(batch, "training_step");
  plot("loss", result, true);
  return result;
}

void Model::validation_step(const Batch& batch) {
  const NoGradGuard unrecorded;
  plot("loss", loss_of(batch, "validation_step"), false);
}

void Model::plot(const std::string& key, const Tensor& value, bool train) {
  if (trainer_ == nullptr) {
    detail::fail<ValueError>("plot", "the model has no trainer, so its progress is unknown", {},
                             "call Trainer::fit() or prepare_model(), or draw on the board");
  }
  if (trainer_->collect(key, value)) return;
  const auto batches = train ? trainer_->num_train_batches() : trainer_->num_val_batches();
  const int points = train ? plot_train_per_epoch : plot_valid_per_epoch;
  const auto every_n = static_cast<int>(std::clamp<std::int64_t>(batches / std::max(points, 1), 1, INT32_MAX));
  const double x =
      train ? static_cast<double>(trainer_->train_batch_idx()) / static_cast<double>(batches) : trainer_->epoch() + 1.0;
  if (board.ylabel.empty()) board.ylabel = key;
  board.draw(x, value, (train ? "train_" : "val_") + key, every_n);
}

}  // namespace d2l
