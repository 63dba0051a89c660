// SPDX-License-Identifier: MIT
/// @file
/// The options of transformer layers.
#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "d2l/nn/init.h"
#include "d2l/tensor.h"

namespace d2l {

namespace detail {
/// The type of kGELU.
struct GeluName {};
}  // namespace detail

/// gelu() as the activation of a transformer layer.
inline constexpr detail::GeluName kGELU{};

}  // namespace d2l

namespace d2l::nn {

/// The function between the two linear maps of a transformer layer: kReLU, kGELU, or a function of your own.
class TransformerActivation {
 public:
  ///@{
  /// relu(), gelu(), or a function; ValueError for another constant than kReLU, and for an empty function.
  TransformerActivation(init::Nonlinearity function = init::Nonlinearity::relu);  // NOLINT(google-explicit-constructor)
  TransformerActivation(d2l::detail::GeluName gelu);                              // NOLINT(google-explicit-constructor)
  TransformerActivation(std::function<Tensor(const Tensor&)> function);           // NOLINT(google-explicit-constructor)
  template <class Function>
  requires(std::is_invocable_r_v<Tensor, Function, const Tensor&>) TransformerActivation(Function function)  // NOLINT
      : TransformerActivation(std::function<Tensor(const Tensor&)>(std::move(function))) {}
  ///@}
  /// The function of each element.
  [[nodiscard]] Tensor operator()(const Tensor& x) const { return function_(x); }

 private:
  std::function<Tensor(const Tensor&)> function_;
};

}  // namespace d2l::nn

namespace d2l::detail {

/// The options that encoder and decoder layers have. Derived is the class of the options.
template <class Derived>
class TransformerLayerOf {
 public:
  /// `d_model`: the numbers of an element of a sequence; `nhead`, which divides it: the heads of each attention.
  TransformerLayerOf(std::int64_t d_model, std::int64_t nhead) : d_model_(d_model), nhead_(nhead) {}
  /// The numbers of an element of a sequence.
  Derived& d_model(std::int64_t size) {
    d_model_ = size;
    return self();
  }
  /// The heads of each attention.
  Derived& nhead(std::int64_t count) {
    nhead_ = count;
    return self();
  }
  /// The numbers between the two linear maps.
  Derived& dim_feedforward(std::int64_t size) {
    dim_feedforward_ = size;
    return self();
  }
  /// The probability of each dropout.
  Derived& dropout(double p) {
    dropout_ = p;
    return self();
  }
  /// The function between the two linear maps.
  Derived& activation(nn::TransformerActivation function) {
    activation_ = std::move(function);
    return self();
  }
  /// What is added to the variance in the normalisations.
  Derived& layer_norm_eps(double eps) {
    layer_norm_eps_ = eps;
    return self();
  }
  /// Whether the batch is the first dimension, before the sequence.
  Derived& batch_first(bool first) {
    batch_first_ = first;
    return self();
  }
  /// Whether the input of each part is normalised, in place of its result.
  Derived& norm_first(bool first) {
    norm_first_ = first;
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
  /// The numbers of an element of a sequence.
  [[nodiscard]] std::int64_t d_model() const noexcept { return d_model_; }
  /// The heads of each attention.
  [[nodiscard]] std::int64_t nhead() const noexcept { return nhead_; }
  /// The numbers between the two linear maps; by default 2048.
  [[nodiscard]] std::int64_t dim_feedforward() const noexcept { return dim_feedforward_; }
  /// The probability of each dropout; by default 0.1.
  [[nodiscard]] double dropout() const noexcept { return dropout_; }
  /// The function between the two linear maps; by default relu().
  [[nodiscard]] const nn::TransformerActivation& activation() const noexcept { return activation_; }
  /// What is added to the variance; by default 1e-5.
  [[nodiscard]] double layer_norm_eps() const noexcept { return layer_norm_eps_; }
  /// Whether the batch is the first dimension; by default false.
  [[nodiscard]] bool batch_first() const noexcept { return batch_first_; }
  /// Whether the input of each part is normalised; by default false.
  [[nodiscard]] bool norm_first() const noexcept { return norm_first_; }
  /// Device and dtype of the parameters.
  [[nodiscard]] const TensorOptions& parameters() const noexcept { return parameters_; }

 private:
  [[nodiscard]] Derived& self() noexcept { return static_cast<Derived&>(*this); }

  std::int64_t d_model_;
  std::int64_t nhead_;
  std::int64_t dim_feedforward_ = 2048;
  double dropout_ = 0.1;
  nn::TransformerActivation activation_;
  double layer_norm_eps_ = 1e-5;
  bool batch_first_ = false;
  bool norm_first_ = false;
  TensorOptions parameters_;
};

}  // namespace d2l::detail

namespace d2l::nn {

/// The options of TransformerEncoderLayer.
class TransformerEncoderLayerOptions : public d2l::detail::TransformerLayerOf<TransformerEncoderLayerOptions> {
 public:
  using TransformerLayerOf::TransformerLayerOf;
};

/// The options of TransformerDecoderLayer.
class TransformerDecoderLayerOptions : public d2l::detail::TransformerLayerOf<TransformerDecoderLayerOptions> {
 public:
  using TransformerLayerOf::TransformerLayerOf;
};

/// The options of Transformer.
class TransformerOptions : public d2l::detail::TransformerLayerOf<TransformerOptions> {
 public:
  /// The numbers of an element of a sequence, and the heads of each attention.
  TransformerOptions(std::int64_t d_model = 512, std::int64_t nhead = 8)
      : TransformerLayerOf(d_model, nhead) {}  // NOLINT
  /// The same with the numbers of layers.
  TransformerOptions(std::int64_t d_model, std::int64_t nhead, std::int64_t num_encoder_layers,
                     std::int64_t num_decoder_layers)
      : TransformerLayerOf(d_model, nhead),
        num_encoder_layers_(num_encoder_layers),
        num_decoder_layers_(num_decoder_layers) {}
  /// The layers of the encoder.
  TransformerOptions& num_encoder_layers(std::int64_t count) {
    num_encoder_layers_ = count;
    return *this;
  }
  /// The layers of the decoder.
  TransformerOptions& num_decoder_layers(std::int64_t count) {
    num_decoder_layers_ = count;
    return *this;
  }
  /// The layers of the encoder; by default 6.
  [[nodiscard]] std::int64_t num_encoder_layers() const noexcept { return num_encoder_layers_; }
  /// The layers of the decoder; by default 6.
  [[nodiscard]] std::int64_t num_decoder_layers() const noexcept { return num_decoder_layers_; }

 private:
  std::int64_t num_encoder_layers_ = 6;
  std::int64_t num_decoder_layers_ = 6;
};

}  // namespace d2l::nn
