// SPDX-License-Identifier: MIT
/// @file
/// Linear and LazyLinear: fully connected layers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "d2l/nn/module_holder.h"

namespace d2l::nn {

/// The sizes of a linear layer, whether it has a bias, and the device and dtype of its parameters.
class LinearOptions {
 public:
  /// A layer with a bias, of float32, on the CPU.
  LinearOptions(std::int64_t in_features, std::int64_t out_features)
      : in_features_(in_features), out_features_(out_features) {}
  /// Whether there is a bias.
  LinearOptions& bias(bool bias) {
    bias_ = bias;
    return *this;
  }
  /// The device of the parameters.
  LinearOptions& device(Device device) {
    parameters_ = parameters_.device(device);
    return *this;
  }
  /// The dtype of the parameters; floating point.
  LinearOptions& dtype(ScalarType dtype) {
    parameters_ = parameters_.dtype(dtype);
    return *this;
  }
  /// The number of features of an input.
  LinearOptions& in_features(std::int64_t count) {
    in_features_ = count;
    return *this;
  }
  /// The number of features of an input; 0 in a lazy layer before its first input.
  [[nodiscard]] std::int64_t in_features() const noexcept { return in_features_; }
  /// The number of features of an output.
  [[nodiscard]] std::int64_t out_features() const noexcept { return out_features_; }
  /// Whether there is a bias.
  [[nodiscard]] bool bias() const noexcept { return bias_; }
  /// Device and dtype of the parameters.
  [[nodiscard]] const TensorOptions& parameters() const noexcept { return parameters_; }

 private:
  std::int64_t in_features_;
  std::int64_t out_features_;
  bool bias_ = true;
  TensorOptions parameters_;
};

/// The options of LazyLinear.
class LazyLinearOptions : public LinearOptions {
 public:
  /// A layer with a bias, of float32, on the CPU.
  explicit LazyLinearOptions(std::int64_t out_features) : LinearOptions(0, out_features) {}
};

/// X (…, in_features) → X × weightᵀ + bias (…, out_features).
class LinearImpl : public Module {
 public:
  ///@{
  /// Draws weight and bias; ShapeError for negative sizes.
  LinearImpl(std::int64_t in_features, std::int64_t out_features)
      : LinearImpl(LinearOptions(in_features, out_features)) {}
  explicit LinearImpl(const LinearOptions& options);
  ///@}

  /// (…, in_features) → (…, out_features); errors as linear().
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;
  /// Draws new weight and bias, uniform within ±1/√in_features, as PyTorch does.
  void reset_parameters();

  LinearOptions options;  ///< as given
  Tensor weight;          ///< (out_features, in_features)
  Tensor bias;            ///< (out_features); undefined without bias

 protected:
  /// With these two tensors.
  LinearImpl(const LinearOptions& options, const Tensor& weight, const Tensor& bias);
};
/// Holds a LinearImpl: `nn::Linear(3, 1)`.
D2L_MODULE(Linear);

/// A linear layer that takes its in_features from its first input, and is a Linear from then on. Until then its
/// parameters have a device and a dtype only, and reading them is a ValueError.
class LazyLinearImpl : public LinearImpl {
 public:
  ///@{
  /// With parameters that have no shape yet.
  explicit LazyLinearImpl(std::int64_t out_features) : LazyLinearImpl(LazyLinearOptions(out_features)) {}
  explicit LazyLinearImpl(const LinearOptions& options);
  ///@}

  /// As Linear; the first input, (…, in_features), gives the weight its shape. IndexError for an input without
  /// dimensions.
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

 private:
  void initialize_parameters(const Tensor& input);

  bool initialized_ = false;
};
/// Holds a LazyLinearImpl: `nn::LazyLinear(1)`.
D2L_MODULE(LazyLinear);

}  // namespace d2l::nn
