// SPDX-License-Identifier: MIT
// One step of a recurrent layer: the new states from the gates of the input and the former states.
#pragma once

#include "d2l/tensor.h"

namespace d2l::detail {

/// The parameters that the state goes through.
struct StateWeights {
  Tensor weight_hh;
  Tensor bias_hh;
  Tensor weight_hr;  ///< of an LSTM with a projection
};

/// The states; c is that of an LSTM.
struct RecurrentState {
  Tensor h;
  Tensor c;
};

/// The steps: `gates` is W_ih x + b_ih, (N, gates × hidden size).
Tensor rnn_step(const Tensor& gates, const Tensor& h, const StateWeights& weights, bool is_relu);
Tensor gru_step(const Tensor& gates, const Tensor& h, const StateWeights& weights);
RecurrentState lstm_step(const Tensor& gates, const RecurrentState& state, const StateWeights& weights);

}  // namespace d2l::detail
