// SPDX-License-Identifier: MIT
/// @file
/// The options of recurrent layers and of their cells.
#pragma once

#include <cstdint>

#include "d2l/nn/init.h"
#include "d2l/tensor_options.h"

namespace d2l::detail {

/// Sizes, bias, device and dtype, which layers and cells have. Derived is the class of the options.
template <class Derived>
class RecurrentSizesOf {
 public:
  /// `input_size`: the numbers of one element of a sequence; `hidden_size`: those of the state.
  RecurrentSizesOf(std::int64_t input_size, std::int64_t hidden_size)
      : input_size_(input_size), hidden_size_(hidden_size) {}
  /// The numbers of one element of a sequence.
  Derived& input_size(std::int64_t size) {
    input_size_ = size;
    return self();
  }
  /// The numbers of the state.
  Derived& hidden_size(std::int64_t size) {
    hidden_size_ = size;
    return self();
  }
  /// Whether there are biases.
  Derived& bias(bool bias) {
    bias_ = bias;
    return self();
  }
  /// The device of the parameters.
  Derived& device(Device device) {
    parameters_ = parameters_.device(device);
    return self();
  }
  /// The dtype of the parameters; floating point.
  Derived& dtype(ScalarType dtype) {
    parameters_ = parameters_.dtype(dtype);
    return self();
  }
  /// The numbers of one element of a sequence.
  [[nodiscard]] std::int64_t input_size() const noexcept { return input_size_; }
  /// The numbers of the state.
  [[nodiscard]] std::int64_t hidden_size() const noexcept { return hidden_size_; }
  /// Whether there are biases; by default true.
  [[nodiscard]] bool bias() const noexcept { return bias_; }
  /// Device and dtype of the parameters.
  [[nodiscard]] const TensorOptions& parameters() const noexcept { return parameters_; }

 protected:
  /// The options themselves.
  [[nodiscard]] Derived& self() noexcept { return static_cast<Derived&>(*this); }

 private:
  std::int64_t input_size_;
  std::int64_t hidden_size_;
  bool bias_ = true;
  TensorOptions parameters_;
};

/// The options that all layers have.
template <class Derived>
class RecurrentLayerOf : public RecurrentSizesOf<Derived> {
 public:
  using RecurrentSizesOf<Derived>::RecurrentSizesOf;
  /// The number of layers, each of which reads the states of the one before.
  Derived& num_layers(std::int64_t count) {
    num_layers_ = count;
    return this->self();
  }
  /// Whether the batch is the first dimension of input and output, before the sequence.
  Derived& batch_first(bool first) {
    batch_first_ = first;
    return this->self();
  }
  /// The probability that an output of a layer but the last becomes 0 in training.
  Derived& dropout(double p) {
    dropout_ = p;
    return this->self();
  }
  /// Whether each layer reads the sequence in both directions.
  Derived& bidirectional(bool both) {
    bidirectional_ = both;
    return this->self();
  }
  /// The number of layers; by default 1.
  [[nodiscard]] std::int64_t num_layers() const noexcept { return num_layers_; }
  /// Whether the batch is the first dimension; by default false.
  [[nodiscard]] bool batch_first() const noexcept { return batch_first_; }
  /// The probability that an output of a layer but the last becomes 0 in training; by default 0.
  [[nodiscard]] double dropout() const noexcept { return dropout_; }
  /// Whether each layer reads the sequence in both directions; by default false.
  [[nodiscard]] bool bidirectional() const noexcept { return bidirectional_; }

 private:
  std::int64_t num_layers_ = 1;
  bool batch_first_ = false;
  double dropout_ = 0;
  bool bidirectional_ = false;
};

}  // namespace d2l::detail

namespace d2l::nn {

/// The options of RNN.
class RNNOptions : public d2l::detail::RecurrentLayerOf<RNNOptions> {
 public:
  using RecurrentLayerOf::RecurrentLayerOf;
  /// The function of the state: kTanh or kReLU.
  RNNOptions& nonlinearity(init::Nonlinearity function) {
    nonlinearity_ = function;
    return *this;
  }
  /// The function of the state; by default kTanh.
  [[nodiscard]] init::Nonlinearity nonlinearity() const noexcept { return nonlinearity_; }

 private:
  init::Nonlinearity nonlinearity_ = init::Nonlinearity::tanh;
};

/// The options of GRU.
class GRUOptions : public d2l::detail::RecurrentLayerOf<GRUOptions> {
 public:
  using RecurrentLayerOf::RecurrentLayerOf;
};

/// The options of LSTM.
class LSTMOptions : public d2l::detail::RecurrentLayerOf<LSTMOptions> {
 public:
  using RecurrentLayerOf::RecurrentLayerOf;
  /// The numbers of the state after a linear map; 0 for none.
  LSTMOptions& proj_size(std::int64_t size) {
    proj_size_ = size;
    return *this;
  }
  /// The numbers of the state after a linear map; by default 0, for none.
  [[nodiscard]] std::int64_t proj_size() const noexcept { return proj_size_; }

 private:
  std::int64_t proj_size_ = 0;
};

/// The options of RNNCell.
class RNNCellOptions : public d2l::detail::RecurrentSizesOf<RNNCellOptions> {
 public:
  using RecurrentSizesOf::RecurrentSizesOf;
  /// The function of the state: kTanh or kReLU.
  RNNCellOptions& nonlinearity(init::Nonlinearity function) {
    nonlinearity_ = function;
    return *this;
  }
  /// The function of the state; by default kTanh.
  [[nodiscard]] init::Nonlinearity nonlinearity() const noexcept { return nonlinearity_; }

 private:
  init::Nonlinearity nonlinearity_ = init::Nonlinearity::tanh;
};

/// The options of GRUCell.
class GRUCellOptions : public d2l::detail::RecurrentSizesOf<GRUCellOptions> {
 public:
  using RecurrentSizesOf::RecurrentSizesOf;
};

/// The options of LSTMCell.
class LSTMCellOptions : public d2l::detail::RecurrentSizesOf<LSTMCellOptions> {
 public:
  using RecurrentSizesOf::RecurrentSizesOf;
};

}  // namespace d2l::nn
