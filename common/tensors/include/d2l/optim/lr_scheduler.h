// SPDX-License-Identifier: MIT
/// @file
/// LRScheduler, StepLR and CosineAnnealingLR: learning rates that change from epoch to epoch.
#pragma once

#include <cstdint>
#include <vector>

#include "d2l/optim/optimizer.h"

namespace d2l::optim {

/// Changes the learning rates of an optimizer, which must live longer.
class LRScheduler {
 public:
  /// Schedules the learning rates of all groups of an optimizer.
  explicit LRScheduler(Optimizer& optimizer);
  /// Leaves the learning rates as they are.
  virtual ~LRScheduler();
  LRScheduler(const LRScheduler&) = delete;
  LRScheduler& operator=(const LRScheduler&) = delete;

  /// Sets the learning rates of the next epoch; it is called after the steps of an epoch, as in Python's PyTorch.
  void step();
  /// The learning rates that the last step() set, one for each group; before it, those of the optimizer.
  [[nodiscard]] const std::vector<double>& get_last_lr() const noexcept { return last_; }

 protected:
  /// The learning rates of epoch step_count(), one for each group.
  virtual std::vector<double> get_lrs() = 0;
  /// The learning rates that the optimizer has.
  [[nodiscard]] std::vector<double> get_current_lrs() const;
  /// The number of calls of step(), with the current one.
  [[nodiscard]] std::int64_t step_count() const noexcept { return step_count_; }

 private:
  Optimizer& optimizer_;
  std::int64_t step_count_ = 0;
  std::vector<double> last_;
};

/// Multiplies the learning rates by `gamma` after every `step_size` epochs.
class StepLR : public LRScheduler {
 public:
  /// ValueError if step_size is not positive.
  StepLR(Optimizer& optimizer, std::int64_t step_size, double gamma = 0.1);

 private:
  std::vector<double> get_lrs() override;

  std::int64_t step_size_;
  double gamma_;
};

/// Moves the learning rates along half a cosine, from their first values at epoch 0 to `eta_min` at epoch T_max, and
/// then back and forth (Loshchilov and Hutter, 2017), by the recursion of PyTorch.
class CosineAnnealingLR : public LRScheduler {
 public:
  /// ValueError if T_max is not positive.
  CosineAnnealingLR(Optimizer& optimizer, std::int64_t T_max, double eta_min = 0);

 private:
  std::vector<double> get_lrs() override;

  std::int64_t T_max_;
  double eta_min_;
  std::vector<double> base_lrs_;
};

}  // namespace d2l::optim
