// SPDX-License-Identifier: MIT
/// @file
/// DataModule: what a model is fitted to; and one that is drawn at random.
#pragma once

#include <cstdint>
#include <optional>

#include "d2l/data/data_loader.h"

namespace d2l {

/// What a model is fitted to: batches for training and for validation.
class DataModule {
 public:
  virtual ~DataModule() = default;
  /// The batches to train with.
  [[nodiscard]] virtual DataLoader train_dataloader() const = 0;
  /// The batches to validate with; nothing where there are none.
  [[nodiscard]] virtual std::optional<DataLoader> val_dataloader() const { return std::nullopt; }
};

/// What SyntheticRegressionData draws, and how it is batched.
struct SyntheticRegressionOptions {
  double noise = 0.01;            ///< the standard deviation of what is added to y
  std::int64_t num_train = 1000;  ///< examples to train with
  std::int64_t num_val = 1000;    ///< examples to validate with
  std::int64_t batch_size = 32;   ///< examples of a batch
  std::uint64_t seed = 0;         ///< what numbers and order follow from
};

/// y = Xw + b + noise with normal X; the same numbers for the same seed on every run.
class SyntheticRegressionData : public DataModule {
 public:
  /// ValueError for sizes that make no sense; w has one dimension.
  explicit SyntheticRegressionData(const Tensor& w, double b, const SyntheticRegressionOptions& options = {});
  /// w = [2, -3.4], b = 4.2.
  explicit SyntheticRegressionData(const SyntheticRegressionOptions& options = {});

  /// The training examples, in an order that follows from the seed and the epoch.
  [[nodiscard]] DataLoader train_dataloader() const override;
  /// The validation examples, as they come.
  [[nodiscard]] std::optional<DataLoader> val_dataloader() const override;

  Tensor w;                            ///< (features)
  double b;                            ///< what is added to each Xw
  SyntheticRegressionOptions options;  ///< what it was told
  Tensor X;                            ///< (num_train + num_val, features)
  Tensor y;                            ///< (num_train + num_val, 1)
};

}  // namespace d2l
