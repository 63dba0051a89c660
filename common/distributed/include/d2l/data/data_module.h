// SPDX-License-Identifier: MIT
/// @file
/// DataModule: the data of a training; SyntheticRegressionData: random data for linear regression.
#pragma once

#include <cstdint>
#include <optional>

#include "d2l/data/data_loader.h"

namespace d2l {

/// Batches for training and for validation.
class DataModule {
 public:
  virtual ~DataModule() = default;
  /// The training batches.
  [[nodiscard]] virtual DataLoader train_dataloader() const = 0;
  /// The validation batches; nullopt if there are none.
  [[nodiscard]] virtual std::optional<DataLoader> val_dataloader() const { return std::nullopt; }
};

/// The options of SyntheticRegressionData.
struct SyntheticRegressionOptions {
  double noise = 0.01;            ///< the standard deviation of the noise in y
  std::int64_t num_train = 1000;  ///< the number of training examples
  std::int64_t num_val = 1000;    ///< the number of validation examples
  std::int64_t batch_size = 32;   ///< the number of examples in a batch
  std::uint64_t seed = 0;         ///< of the numbers and of their order
};

/// y = Xw + b + noise with normal X; the same numbers for the same seed on every run.
class SyntheticRegressionData : public DataModule {
 public:
  /// w has one dimension. ValueError for invalid sizes.
  explicit SyntheticRegressionData(const Tensor& w, double b, const SyntheticRegressionOptions& options = {});
  /// w = [2, -3.4], b = 4.2.
  explicit SyntheticRegressionData(const SyntheticRegressionOptions& options = {});

  /// The training examples, in an order that depends on the seed and the epoch.
  [[nodiscard]] DataLoader train_dataloader() const override;
  /// The validation examples, in their order.
  [[nodiscard]] std::optional<DataLoader> val_dataloader() const override;

  Tensor w;                            ///< (features)
  double b;                            ///< the bias
  SyntheticRegressionOptions options;  ///< as given
  Tensor X;                            ///< (num_train + num_val, features)
  Tensor y;                            ///< (num_train + num_val, 1)
};

}  // namespace d2l
