// SPDX-License-Identifier: MIT
/// @file
/// LayerNorm and RMSNorm: normalise each row of an input.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "d2l/nn/module_holder.h"

namespace d2l::nn {

/// The options of LayerNorm.
class LayerNormOptions {
 public:
  /// `normalized_shape`: the last sizes of an input, whose elements are one row.
  LayerNormOptions(std::vector<std::int64_t> normalized_shape)  // NOLINT(google-explicit-constructor)
      : normalized_shape_(std::move(normalized_shape)) {}
  /// The last sizes of an input.
  LayerNormOptions& normalized_shape(std::vector<std::int64_t> shape) {
    normalized_shape_ = std::move(shape);
    return *this;
  }
  /// What is added to the variance.
  LayerNormOptions& eps(double eps) {
    eps_ = eps;
    return *this;
  }
  /// Whether there are a weight and a bias.
  LayerNormOptions& elementwise_affine(bool affine) {
    elementwise_affine_ = affine;
    return *this;
  }
  /// The device of the parameters.
  LayerNormOptions& device(Device device) {
    parameters_ = parameters_.device(device);
    return *this;
  }
  /// The dtype of the parameters; floating point.
  LayerNormOptions& dtype(ScalarType dtype) {
    parameters_ = parameters_.dtype(dtype);
    return *this;
  }
  /// The last sizes of an input.
  [[nodiscard]] const std::vector<std::int64_t>& normalized_shape() const noexcept { return normalized_shape_; }
  /// What is added to the variance; by default 1e-5.
  [[nodiscard]] double eps() const noexcept { return eps_; }
  /// Whether there are a weight and a bias; by default true.
  [[nodiscard]] bool elementwise_affine() const noexcept { return elementwise_affine_; }
  /// Device and dtype of the parameters.
  [[nodiscard]] const TensorOptions& parameters() const noexcept { return parameters_; }

 private:
  std::vector<std::int64_t> normalized_shape_;
  double eps_ = 1e-5;
  bool elementwise_affine_ = true;
  TensorOptions parameters_;
};

/// Normalises each row of the input to mean 0 and variance 1, and applies a weight and a bias to its elements; see
/// d2l::layer_norm().
class LayerNormImpl : public Module {
 public:
  ///@{
  /// A layer whose weight is 1 and whose bias is 0; ShapeError for negative sizes.
  explicit LayerNormImpl(std::vector<std::int64_t> normalized_shape)
      : LayerNormImpl(LayerNormOptions(std::move(normalized_shape))) {}
  explicit LayerNormImpl(std::int64_t size) : LayerNormImpl(std::vector<std::int64_t>{size}) {}
  explicit LayerNormImpl(const LayerNormOptions& chosen);
  ///@}

  /// Of the input's shape; errors as layer_norm().
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;
  /// Sets the weight to 1 and the bias to 0.
  void reset_parameters();

  LayerNormOptions options;  ///< as given
  Tensor weight;             ///< of the shape normalized_shape; undefined unless elementwise_affine
  Tensor bias;               ///< likewise
};
/// Holds a LayerNormImpl: `nn::LayerNorm(nn::LayerNormOptions({4}))`.
D2L_MODULE(LayerNorm);

/// The options of RMSNorm.
class RMSNormOptions {
 public:
  /// `normalized_shape`: the last sizes of an input, whose elements are one row.
  RMSNormOptions(std::vector<std::int64_t> normalized_shape)  // NOLINT(google-explicit-constructor)
      : normalized_shape_(std::move(normalized_shape)) {}
  /// What is added to the mean of the squares.
  RMSNormOptions& eps(std::optional<double> eps) {
    eps_ = eps;
    return *this;
  }
  /// Whether there is a weight.
  RMSNormOptions& elementwise_affine(bool affine) {
    elementwise_affine_ = affine;
    return *this;
  }
  /// The device of the weight.
  RMSNormOptions& device(Device device) {
    parameters_ = parameters_.device(device);
    return *this;
  }
  /// The dtype of the weight; floating point.
  RMSNormOptions& dtype(ScalarType dtype) {
    parameters_ = parameters_.dtype(dtype);
    return *this;
  }
  /// The last sizes of an input.
  [[nodiscard]] const std::vector<std::int64_t>& normalized_shape() const noexcept { return normalized_shape_; }
  /// What is added to the mean of the squares; by default the machine epsilon of the input's dtype.
  [[nodiscard]] std::optional<double> eps() const noexcept { return eps_; }
  /// Whether there is a weight; by default true.
  [[nodiscard]] bool elementwise_affine() const noexcept { return elementwise_affine_; }
  /// Device and dtype of the weight.
  [[nodiscard]] const TensorOptions& parameters() const noexcept { return parameters_; }

 private:
  std::vector<std::int64_t> normalized_shape_;
  std::optional<double> eps_;
  bool elementwise_affine_ = true;
  TensorOptions parameters_;
};

/// Divides each row of the input by the square root of the mean of its squares, and applies a weight to its elements;
/// see d2l::rms_norm().
class RMSNormImpl : public Module {
 public:
  ///@{
  /// A layer whose weight is 1; ShapeError for negative sizes.
  explicit RMSNormImpl(std::vector<std::int64_t> normalized_shape)
      : RMSNormImpl(RMSNormOptions(std::move(normalized_shape))) {}
  explicit RMSNormImpl(std::int64_t size) : RMSNormImpl(std::vector<std::int64_t>{size}) {}
  explicit RMSNormImpl(const RMSNormOptions& chosen);
  ///@}

  /// Of the input's shape; errors as rms_norm().
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;
  /// Sets the weight to 1.
  void reset_parameters();

  RMSNormOptions options;  ///< as given
  Tensor weight;           ///< of the shape normalized_shape; undefined unless elementwise_affine
};
/// Holds an RMSNormImpl: `nn::RMSNorm(nn::RMSNormOptions({4}))`.
D2L_MODULE(RMSNorm);

namespace functional {

/// The options of layer_norm().
class LayerNormFuncOptions {
 public:
  /// `normalized_shape`: the last sizes of an input, whose elements are one row.
  LayerNormFuncOptions(std::vector<std::int64_t> normalized_shape)  // NOLINT(google-explicit-constructor)
      : normalized_shape_(std::move(normalized_shape)) {}
  /// The factors of the elements of a row; by default undefined.
  LayerNormFuncOptions& weight(const Tensor& weight) {
    weight_ = weight;
    return *this;
  }
  /// What is added to the elements of a row; by default undefined.
  LayerNormFuncOptions& bias(const Tensor& bias) {
    bias_ = bias;
    return *this;
  }
  /// What is added to the variance; by default 1e-5.
  LayerNormFuncOptions& eps(double eps) {
    eps_ = eps;
    return *this;
  }
  /// The last sizes of an input.
  [[nodiscard]] const std::vector<std::int64_t>& normalized_shape() const noexcept { return normalized_shape_; }
  /// The factors of the elements of a row.
  [[nodiscard]] const Tensor& weight() const noexcept { return weight_; }
  /// What is added to the elements of a row.
  [[nodiscard]] const Tensor& bias() const noexcept { return bias_; }
  /// What is added to the variance.
  [[nodiscard]] double eps() const noexcept { return eps_; }

 private:
  std::vector<std::int64_t> normalized_shape_;
  Tensor weight_;
  Tensor bias_;
  double eps_ = 1e-5;
};

/// What LayerNorm computes; errors as d2l::layer_norm().
Tensor layer_norm(const Tensor& input, const LayerNormFuncOptions& options);

}  // namespace functional
}  // namespace d2l::nn
