// SPDX-License-Identifier: MIT
/// @file
/// Recurrent layers: RNN, GRU and LSTM read a sequence one element after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "d2l/nn/module_holder.h"
#include "d2l/nn/recurrent/rnn_options.h"

// forward() of these layers gives several tensors, which forward() of a Module cannot.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Woverloaded-virtual"
#elif defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverloaded-virtual"
#endif

namespace d2l::detail {

/// What RNN, GRU and LSTM share: the parameters, and the way through layers and directions.
class RecurrentLayer : public nn::Module {
 public:
  /// Draws new parameters, uniform within ±1/√hidden_size, as PyTorch does.
  void reset_parameters();
  [[nodiscard]] std::string extra_repr() const override;
  /// The parameters of each layer and direction, in the order of their names.
  [[nodiscard]] const std::vector<std::vector<Tensor>>& all_weights() const noexcept { return weights_; }
  /// Does nothing: the parameters need no arrangement.
  void flatten_parameters() const noexcept {}

 protected:
  /// What differs between the layers' options.
  struct Shape {
    const char* kind;
    std::int64_t input_size;
    std::int64_t hidden_size;
    std::int64_t num_layers;
    std::int64_t proj_size;
    bool bias;
    bool batch_first;
    double dropout;
    bool bidirectional;
    TensorOptions parameters;
    std::int64_t gates;
    bool is_relu;
  };
  /// Makes and draws the parameters; ValueError for sizes and probabilities that PyTorch refuses.
  explicit RecurrentLayer(const Shape& shape);

  /// The output, and the last states: h, and c of an LSTM.
  struct Result {
    Tensor output;
    Tensor h;
    Tensor c;
  };
  /// Reads the sequence from these states, which may be undefined for zeros.
  Result read(const Tensor& input, const Tensor& h, const Tensor& c) const;

 private:
  [[nodiscard]] std::int64_t directions() const noexcept { return shape_.bidirectional ? 2 : 1; }
  [[nodiscard]] std::int64_t state_size() const noexcept {
    return shape_.proj_size > 0 ? shape_.proj_size : shape_.hidden_size;
  }
  void check_input(const Tensor& input) const;
  void check_state(const Tensor& state, const char* name, std::int64_t batch, std::int64_t size) const;

  Shape shape_;
  std::vector<std::vector<Tensor>> weights_;
};

}  // namespace d2l::detail

namespace d2l::nn {

/// h = tanh(W_ih x + b_ih + W_hh h + b_hh) for each element x of a sequence, or with relu().
class RNNImpl : public d2l::detail::RecurrentLayer {
 public:
  ///@{
  /// Draws the parameters weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0, …; ValueError for sizes that are not
  /// positive, and another function than tanh and relu.
  RNNImpl(std::int64_t input_size, std::int64_t hidden_size) : RNNImpl(RNNOptions(input_size, hidden_size)) {}
  explicit RNNImpl(const RNNOptions& chosen);
  ///@}
  /// (length, N, input_size) → the states of the last layer (length, N, directions × hidden_size), and the last states
  /// of all layers (layers × directions, N, hidden_size). The first states, of that shape, are 0 unless `hx` is given.
  /// An input may have no N; with batch_first it is (N, length, …). ShapeError for another shape, TypeError for another
  /// dtype.
  std::tuple<Tensor, Tensor> forward(const Tensor& input, const Tensor& hx = {});
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  RNNOptions options;  ///< as given
};
/// Holds an RNNImpl: `nn::RNN(nn::RNNOptions(4, 8).num_layers(2))`.
D2L_MODULE(RNN);

/// A gated recurrent unit (Cho et al., 2014): r and z are gates of the state h, n is a proposal for it, and the new
/// state is (1 − z) n + z h.
class GRUImpl : public d2l::detail::RecurrentLayer {
 public:
  ///@{
  /// Draws the parameters, whose rows are those of r, z and n; ValueError for sizes that are not positive.
  GRUImpl(std::int64_t input_size, std::int64_t hidden_size) : GRUImpl(GRUOptions(input_size, hidden_size)) {}
  explicit GRUImpl(const GRUOptions& chosen);
  ///@}
  /// As forward() of RNN.
  std::tuple<Tensor, Tensor> forward(const Tensor& input, const Tensor& hx = {});
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  GRUOptions options;  ///< as given
};
/// Holds a GRUImpl: `nn::GRU(4, 8)`.
D2L_MODULE(GRU);

/// Long short-term memory (Hochreiter and Schmidhuber, 1997): a cell c that gates i, f and o write, erase and read.
class LSTMImpl : public d2l::detail::RecurrentLayer {
 public:
  ///@{
  /// Draws the parameters, whose rows are those of i, f, the proposal and o; ValueError for sizes that PyTorch refuses.
  LSTMImpl(std::int64_t input_size, std::int64_t hidden_size) : LSTMImpl(LSTMOptions(input_size, hidden_size)) {}
  explicit LSTMImpl(const LSTMOptions& chosen);
  ///@}
  /// As forward() of RNN; the states are h and c.
  std::tuple<Tensor, std::tuple<Tensor, Tensor>> forward(const Tensor& input,
                                                         std::optional<std::tuple<Tensor, Tensor>> hx_opt = {});
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  LSTMOptions options;  ///< as given
};
/// Holds an LSTMImpl: `nn::LSTM(4, 8)`.
D2L_MODULE(LSTM);

}  // namespace d2l::nn

#ifdef __clang__
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
