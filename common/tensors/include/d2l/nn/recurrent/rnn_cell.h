// SPDX-License-Identifier: MIT
/// @file
/// Cells: one step of a recurrent layer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "d2l/nn/module_holder.h"
#include "d2l/nn/recurrent/rnn_options.h"

// forward() of an LSTMCell gives two tensors, which forward() of a Module cannot.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Woverloaded-virtual"
#elif defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverloaded-virtual"
#endif

namespace d2l::detail {

/// What the cells share: the parameters.
class RecurrentCell : public nn::Module {
 public:
  /// Draws new parameters, uniform within ±1/√hidden_size, as PyTorch does.
  void reset_parameters();

  Tensor weight_ih;  ///< (gates × hidden_size, input_size)
  Tensor weight_hh;  ///< (gates × hidden_size, hidden_size)
  Tensor bias_ih;    ///< (gates × hidden_size); undefined without bias
  Tensor bias_hh;    ///< likewise

 protected:
  /// Makes and draws the parameters of this many gates.
  RecurrentCell(std::int64_t input_size, std::int64_t hidden_size, std::int64_t gates, bool bias,
                const TensorOptions& parameters);
  /// The rows of an input (N, …) or (…), and of a state, or zeros; ValueError or ShapeError for another shape.
  [[nodiscard]] Tensor rows_of(const Tensor& input, const char* kind) const;
  [[nodiscard]] Tensor state_of(const Tensor& given, const Tensor& input, const Tensor& rows, const char* kind) const;
};

}  // namespace d2l::detail

namespace d2l::nn {

/// One step of RNN.
class RNNCellImpl : public d2l::detail::RecurrentCell {
 public:
  ///@{
  /// Draws the parameters; ValueError for another function than tanh and relu, ShapeError for negative sizes.
  RNNCellImpl(std::int64_t input_size, std::int64_t hidden_size)
      : RNNCellImpl(RNNCellOptions(input_size, hidden_size)) {}
  explicit RNNCellImpl(const RNNCellOptions& chosen);
  ///@}
  ///@{
  /// (N, input_size), and the state (N, hidden_size), which is 0 unless it is given → the new state; also without N.
  /// ValueError or ShapeError for other shapes.
  Tensor forward(const Tensor& input) override { return forward(input, Tensor()); }
  Tensor forward(const Tensor& input, const Tensor& hx);
  ///@}
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  RNNCellOptions options;  ///< as given
};
/// Holds an RNNCellImpl: `nn::RNNCell(4, 8)`.
D2L_MODULE(RNNCell);

/// One step of GRU.
class GRUCellImpl : public d2l::detail::RecurrentCell {
 public:
  ///@{
  /// Draws the parameters; ShapeError for negative sizes.
  GRUCellImpl(std::int64_t input_size, std::int64_t hidden_size)
      : GRUCellImpl(GRUCellOptions(input_size, hidden_size)) {}
  explicit GRUCellImpl(const GRUCellOptions& chosen);
  ///@}
  ///@{
  /// As forward() of RNNCell.
  Tensor forward(const Tensor& input) override { return forward(input, Tensor()); }
  Tensor forward(const Tensor& input, const Tensor& hx);
  ///@}
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  GRUCellOptions options;  ///< as given
};
/// Holds a GRUCellImpl: `nn::GRUCell(4, 8)`.
D2L_MODULE(GRUCell);

/// One step of LSTM.
class LSTMCellImpl : public d2l::detail::RecurrentCell {
 public:
  ///@{
  /// Draws the parameters; ShapeError for negative sizes.
  LSTMCellImpl(std::int64_t input_size, std::int64_t hidden_size)
      : LSTMCellImpl(LSTMCellOptions(input_size, hidden_size)) {}
  explicit LSTMCellImpl(const LSTMCellOptions& chosen);
  ///@}
  /// As forward() of RNNCell; the states are h and c.
  std::tuple<Tensor, Tensor> forward(const Tensor& input, std::optional<std::tuple<Tensor, Tensor>> hx_opt = {});
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  LSTMCellOptions options;  ///< as given
};
/// Holds an LSTMCellImpl: `nn::LSTMCell(4, 8)`.
D2L_MODULE(LSTMCell);

}  // namespace d2l::nn

#ifdef __clang__
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
