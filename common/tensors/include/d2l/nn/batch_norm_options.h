// SPDX-License-Identifier: MIT
/// @file
/// The options of BatchNorm1d, BatchNorm2d and batch_norm().
#pragma once

#include <cstdint>
#include <optional>

#include "d2l/tensor.h"

namespace d2l::nn {

/// The options of BatchNorm1d and BatchNorm2d.
class BatchNormOptions {
 public:
  /// `num_features` is the number of channels.
  BatchNormOptions(std::int64_t num_features)  // NOLINT(google-explicit-constructor)
      : num_features_(num_features) {}
  /// The number of channels.
  BatchNormOptions& num_features(std::int64_t count) {
    num_features_ = count;
    return *this;
  }
  /// What is added to the variance.
  BatchNormOptions& eps(double eps) {
    eps_ = eps;
    return *this;
  }
  /// The share of a batch in the running statistics; nullopt makes them averages over all batches.
  BatchNormOptions& momentum(std::optional<double> momentum) {
    momentum_ = momentum;
    return *this;
  }
  /// Whether there are a weight and a bias.
  BatchNormOptions& affine(bool affine) {
    affine_ = affine;
    return *this;
  }
  /// Whether there are running statistics; without them, evaluation uses those of the batch too.
  BatchNormOptions& track_running_stats(bool track) {
    track_running_stats_ = track;
    return *this;
  }
  /// The device of the parameters.
  BatchNormOptions& device(Device device) {
    parameters_ = parameters_.device(device);
    return *this;
  }
  /// The dtype of the parameters; floating point.
  BatchNormOptions& dtype(ScalarType dtype) {
    parameters_ = parameters_.dtype(dtype);
    return *this;
  }
  /// The number of channels; 0 in a lazy layer before its first input.
  [[nodiscard]] std::int64_t num_features() const noexcept { return num_features_; }
  /// What is added to the variance; by default 1e-5.
  [[nodiscard]] double eps() const noexcept { return eps_; }
  /// The share of a batch in the running statistics; by default 0.1.
  [[nodiscard]] std::optional<double> momentum() const noexcept { return momentum_; }
  /// Whether there are a weight and a bias; by default true.
  [[nodiscard]] bool affine() const noexcept { return affine_; }
  /// Whether there are running statistics; by default true.
  [[nodiscard]] bool track_running_stats() const noexcept { return track_running_stats_; }
  /// Device and dtype of the parameters.
  [[nodiscard]] const TensorOptions& parameters() const noexcept { return parameters_; }

 private:
  std::int64_t num_features_;
  double eps_ = 1e-5;
  std::optional<double> momentum_ = 0.1;
  bool affine_ = true;
  bool track_running_stats_ = true;
  TensorOptions parameters_;
};

using BatchNorm1dOptions = BatchNormOptions;  ///< the options of BatchNorm1d
using BatchNorm2dOptions = BatchNormOptions;  ///< the options of BatchNorm2d

/// The options of LazyBatchNorm1d and LazyBatchNorm2d.
class LazyBatchNormOptions : public BatchNormOptions {
 public:
  /// Of an unknown number of channels.
  LazyBatchNormOptions() : BatchNormOptions(0) {}
  /// These options; the number of channels has no effect.
  LazyBatchNormOptions(const BatchNormOptions& chosen)  // NOLINT(google-explicit-constructor)
      : BatchNormOptions(chosen) {
    num_features(0);
  }
};

namespace functional {

/// The options of batch_norm().
class BatchNormFuncOptions {
 public:
  /// The factors of the channels; by default undefined.
  BatchNormFuncOptions& weight(const Tensor& weight) {
    weight_ = weight;
    return *this;
  }
  /// What is added to the channels; by default undefined.
  BatchNormFuncOptions& bias(const Tensor& bias) {
    bias_ = bias;
    return *this;
  }
  /// Whether the statistics are those of the input; by default false.
  BatchNormFuncOptions& training(bool training) {
    training_ = training;
    return *this;
  }
  /// The share of the input in the running statistics; by default 0.1, and 0 for nullopt.
  BatchNormFuncOptions& momentum(std::optional<double> momentum) {
    momentum_ = momentum;
    return *this;
  }
  /// What is added to the variance; by default 1e-5.
  BatchNormFuncOptions& eps(double eps) {
    eps_ = eps;
    return *this;
  }
  /// The factors of the channels.
  [[nodiscard]] const Tensor& weight() const noexcept { return weight_; }
  /// What is added to the channels.
  [[nodiscard]] const Tensor& bias() const noexcept { return bias_; }
  /// Whether the statistics are those of the input.
  [[nodiscard]] bool training() const noexcept { return training_; }
  /// The share of the input in the running statistics.
  [[nodiscard]] std::optional<double> momentum() const noexcept { return momentum_; }
  /// What is added to the variance.
  [[nodiscard]] double eps() const noexcept { return eps_; }

 private:
  Tensor weight_;
  Tensor bias_;
  bool training_ = false;
  std::optional<double> momentum_ = 0.1;
  double eps_ = 1e-5;
};

}  // namespace functional
}  // namespace d2l::nn
