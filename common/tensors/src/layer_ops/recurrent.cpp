// SPDX-License-Identifier: MIT
#include "layer_ops/recurrent.h"

#include "d2l/ops.h"

namespace d2l::detail {

Tensor rnn_step(const Tensor& gates, const Tensor& h, const StateWeights& weights, bool is_relu) {
  const Tensor sum = gates + linear(h, weights.weight_hh, weights.bias_hh);
  return is_relu ? sum.relu() : sum.tanh();
}

Tensor gru_step(const Tensor& gates, const Tensor& h, const StateWeights& weights) {
  const auto from_input = gates.chunk(3, 1);
  const auto from_state = linear(h, weights.weight_hh, weights.bias_hh).chunk(3, 1);
  const Tensor reset = (from_input[0] + from_state[0]).sigmoid();
  const Tensor update = (from_input[1] + from_state[1]).sigmoid();
  const Tensor proposal = (from_input[2] + reset * from_state[2]).tanh();
  return (h - proposal) * update + proposal;
}

RecurrentState lstm_step(const Tensor& gates, const RecurrentState& state, const StateWeights& weights) {
  const auto parts = (gates + linear(state.h, weights.weight_hh, weights.bias_hh)).chunk(4, 1);
  const Tensor c = parts[1].sigmoid() * state.c + parts[0].sigmoid() * parts[2].tanh();
  const Tensor h = parts[3].sigmoid() * c.tanh();
  return {weights.weight_hr.defined() ? linear(h, weights.weight_hr) : h, c};
}

}  // namespace d2l::detail
