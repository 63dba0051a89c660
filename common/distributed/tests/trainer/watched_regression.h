// SPDX-License-Identifier: MIT
// For tests: a linear regression that records every loss, and data that a test gives.
#pragma once

#include <utility>
#include <vector>

#include "d2l/data.h"
#include "d2l/linear_regression.h"
#include "d2l/trainer.h"
#include "library.h"

namespace d2l::testing {

/// Each of its losses is a point on its board.
class WatchedRegression : public LinearRegression {
 public:
  explicit WatchedRegression(double lr = 0.03, double momentum = 0)
      : LinearRegression(optim::SGDOptions(lr).momentum(momentum)) {
    plot_train_per_epoch = 1'000'000;
    plot_valid_per_epoch = 1'000'000;
  }
};

/// Given training examples, in their order.
class GivenData : public DataModule {
 public:
  explicit GivenData(TensorDataset train, std::int64_t batch_size = 32)
      : train_(std::move(train)), batch_size_(batch_size) {}
  [[nodiscard]] DataLoader train_dataloader() const override { return DataLoader(train_, batch_size_); }

 private:
  TensorDataset train_;
  std::int64_t batch_size_;
};

/// The training losses of a model, one for each step.
inline std::vector<double> train_losses(const Model& model) {
  for (const auto& line : model.board.lines()) {
    if (line.label == "train_loss") return line.y;
  }
  return {};
}

/// Trains a new model, and returns its losses, one for each step.
inline std::vector<double> losses_of_training(const TrainerOptions& options) {
  manual_seed(1);
  WatchedRegression model;
  Trainer trainer(options);
  trainer.fit(model, SyntheticRegressionData());
  return train_losses(model);
}

/// 1 if there is a GPU, else 0.
inline int one_gpu() { return num_gpus() > 0 ? 1 : 0; }

}  // namespace d2l::testing
