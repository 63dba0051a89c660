// SPDX-License-Identifier: MIT
#include "d2l/nn/recurrent/rnn_cell.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "autocast/casts.h"
#include "core/messages.h"
#include "d2l/factories.h"
#include "d2l/nn/init.h"
#include "d2l/ops.h"
#include "layer_ops/recurrent.h"
#include "nn/copy_state.h"

namespace d2l {

namespace {

template <class Options>
std::string sizes_text(const Options& options) {
  return fmt::format("{}, {}{}", options.input_size(), options.hidden_size(), options.bias() ? "" : ", bias=False");
}

template <class Cell, class Options>
std::shared_ptr<nn::Module> copy_of_cell(const Cell& cell, const Options& options) {
  auto copy = std::make_shared<Cell>(options);
  detail::copy_state(cell, *copy);
  return copy;
}

}  // namespace

namespace detail {

RecurrentCell::RecurrentCell(std::int64_t input_size, std::int64_t hidden_size, std::int64_t gates, bool bias,
                             const TensorOptions& parameters)
    : weight_ih(register_parameter("weight_ih", empty({gates * hidden_size, input_size}, parameters))),
      weight_hh(register_parameter("weight_hh", empty({gates * hidden_size, hidden_size}, parameters))),
      bias_ih(register_parameter("bias_ih", bias ? empty({gates * hidden_size}, parameters) : Tensor())),
      bias_hh(register_parameter("bias_hh", bias ? empty({gates * hidden_size}, parameters) : Tensor())) {
  reset_parameters();
}

// NOLINTNEXTLINE(readability-make-member-function-const): it changes the layer.
void RecurrentCell::reset_parameters() {
  const auto size = static_cast<double>(weight_hh.size(1));
  const double bound = size > 0 ? 1 / std::sqrt(size) : 0;
  for (const Tensor& parameter : parameters()) nn::init::uniform_(parameter, -bound, bound);
}

Tensor RecurrentCell::rows_of(const Tensor& input, const char* kind) const {
  const TensorImpl& impl = impl_of(input, kind);
  const auto it = operands({{"input", &impl}});
  if (impl.sizes.count != 1 && impl.sizes.count != 2) {
    fail<ShapeError>(kind, fmt::format("{}: Expected input to be 1D or 2D, got {}D instead", kind, impl.sizes.count),
                     it, "give (input_size), or (N, input_size)");
  }
  if (input.size(-1) != weight_ih.size(1)) {
    fail<ShapeError>(
        kind, fmt::format("input has inconsistent input_size: got {} expected {}", input.size(-1), weight_ih.size(1)),
        it, "the last dimension is the numbers of an element");
  }
  return impl.sizes.count == 2 ? input : input.unsqueeze(0);
}

Tensor RecurrentCell::state_of(const Tensor& given, const Tensor& input, const Tensor& rows, const char* kind) const {
  const std::int64_t size = weight_hh.size(1);
  if (!given.defined()) return zeros({rows.size(0), size}, TensorOptions(input.dtype()).device(input.device()));
  const TensorImpl& impl = impl_of(given, kind);
  const auto both = operands({{"input", input.impl().get()}, {"hidden", &impl}});
  if (impl.sizes.count != 1 && impl.sizes.count != 2) {
    fail<ShapeError>(kind, fmt::format("{}: Expected hidden to be 1D or 2D, got {}D instead", kind, impl.sizes.count),
                     both, "give a state for each row of the input");
  }
  Tensor state = input.dim() == 2 ? given : given.unsqueeze(0);
  if (state.dim() != 2 || state.size(0) != rows.size(0)) {
    fail<ShapeError>(
        kind, fmt::format("Input batch size {} doesn't match hidden0 batch size {}", rows.size(0), state.size(0)), both,
        "give a state for each row of the input");
  }
  if (state.size(1) != size) {
    fail<ShapeError>(kind,
                     fmt::format("hidden0 has inconsistent hidden_size: got {}, expected {}", state.size(1), size),
                     both, "the last dimension is the numbers of the state");
  }
  return state;
}

}  // namespace detail

namespace nn {

using d2l::detail::cast_alone;

namespace {

constexpr auto low = d2l::detail::CastRule::low_on_gpu;  // also the states

}  // namespace

RNNCellImpl::RNNCellImpl(const RNNCellOptions& chosen)
    : RecurrentCell(chosen.input_size(), chosen.hidden_size(), 1, chosen.bias(), chosen.parameters()), options(chosen) {
  if (chosen.nonlinearity() == init::Nonlinearity::tanh || chosen.nonlinearity() == init::Nonlinearity::relu) return;
  d2l::detail::fail<ValueError>("RNNCell", "Unknown nonlinearity. Select from 'tanh' or 'relu'.", {},
                                "choose kTanh or kReLU");
}

Tensor RNNCellImpl::forward(const Tensor& input, const Tensor& hx) {
  const Tensor rows = rows_of(input, "RNNCell");
  const Tensor state = cast_alone(low, state_of(hx, input, rows, "RNNCell"));
  const Tensor next = d2l::detail::rnn_step(linear(rows, weight_ih, bias_ih), state, {weight_hh, bias_hh, {}},
                                            options.nonlinearity() == init::Nonlinearity::relu);
  return input.dim() == 2 ? next : next.squeeze(0);
}

std::string RNNCellImpl::extra_repr() const {
  return sizes_text(options) + (options.nonlinearity() == init::Nonlinearity::relu ? ", nonlinearity=relu" : "");
}

std::shared_ptr<Module> RNNCellImpl::clone() const { return copy_of_cell(*this, options); }

GRUCellImpl::GRUCellImpl(const GRUCellOptions& chosen)
    : RecurrentCell(chosen.input_size(), chosen.hidden_size(), 3, chosen.bias(), chosen.parameters()),
      options(chosen) {}

Tensor GRUCellImpl::forward(const Tensor& input, const Tensor& hx) {
  const Tensor rows = rows_of(input, "GRUCell");
  const Tensor state = cast_alone(low, state_of(hx, input, rows, "GRUCell"));
  const Tensor next = d2l::detail::gru_step(linear(rows, weight_ih, bias_ih), state, {weight_hh, bias_hh, {}});
  return input.dim() == 2 ? next : next.squeeze(0);
}

std::string GRUCellImpl::extra_repr() const { return sizes_text(options); }
std::shared_ptr<Module> GRUCellImpl::clone() const { return copy_of_cell(*this, options); }

LSTMCellImpl::LSTMCellImpl(const LSTMCellOptions& chosen)
    : RecurrentCell(chosen.input_size(), chosen.hidden_size(), 4, chosen.bias(), chosen.parameters()),
      options(chosen) {}

std::tuple<Tensor, Tensor> LSTMCellImpl::forward(const Tensor& input,
                                                 std::optional<std::tuple<Tensor, Tensor>> hx_opt) {
  const auto [h, c] = std::move(hx_opt).value_or(std::tuple<Tensor, Tensor>());
  const Tensor rows = rows_of(input, "LSTMCell");
  const d2l::detail::RecurrentState state{cast_alone(low, state_of(h, input, rows, "LSTMCell")),
                                          cast_alone(low, state_of(c, input, rows, "LSTMCell"))};
  const auto next = d2l::detail::lstm_step(linear(rows, weight_ih, bias_ih), state, {weight_hh, bias_hh, {}});
  if (input.dim() == 2) return {next.h, next.c};
  return {next.h.squeeze(0), next.c.squeeze(0)};
}

std::string LSTMCellImpl::extra_repr() const { return sizes_text(options); }
std::shared_ptr<Module> LSTMCellImpl::clone() const { return copy_of_cell(*this, options); }

}  // namespace nn
}  // namespace d2l
