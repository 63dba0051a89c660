// SPDX-License-Identifier: MIT
#include "d2l/nn/recurrent/rnn.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "autocast/casts.h"
#include "core/messages.h"
#include "d2l/factories.h"
#include "d2l/nn/dropout.h"
#include "d2l/nn/init.h"
#include "d2l/ops.h"
#include "d2l/repr.h"
#include "layer_ops/recurrent.h"
#include "nn/copy_state.h"

namespace d2l {

namespace {

constexpr int lstm_gates = 4;
constexpr int gru_gates = 3;

void refuse_options(const char* kind, const char* sentence) {
  detail::fail<ValueError>(kind, sentence, {}, "correct the options");
}

bool is_relu(nn::init::Nonlinearity function, const char* kind) {
  if (function != nn::init::Nonlinearity::tanh && function != nn::init::Nonlinearity::relu) {
    refuse_options(kind, "Unknown nonlinearity. Select from 'tanh' or 'relu'.");
  }
  return function == nn::init::Nonlinearity::relu;
}

std::string tuple_of(IntArrayRef sizes) {
  std::string text = detail::text(sizes);
  text.front() = '(';
  text.back() = ')';
  return text;
}

template <class Layer, class Options>
std::shared_ptr<nn::Module> copy_of(const Layer& layer, const Options& options) {
  auto copy = std::make_shared<Layer>(options);
  detail::copy_state(layer, *copy);
  return copy;
}

}  // namespace

namespace detail {

RecurrentLayer::RecurrentLayer(const Shape& shape) : shape_(shape) {
  if (!(shape.dropout >= 0 && shape.dropout <= 1)) {
    refuse_options(
        shape.kind,
        "dropout should be a number in range [0, 1] representing the probability of an element being zeroed");
  }
  if (shape.input_size <= 0) refuse_options(shape.kind, "input_size must be greater than zero");
  if (shape.hidden_size <= 0) refuse_options(shape.kind, "hidden_size must be greater than zero");
  if (shape.num_layers <= 0) refuse_options(shape.kind, "num_layers must be greater than zero");
  if (shape.proj_size < 0) {
    refuse_options(shape.kind, "proj_size should be a positive integer or zero to disable projections");
  }
  if (shape.proj_size >= shape.hidden_size) {
    refuse_options(shape.kind, "proj_size has to be smaller than hidden_size");
  }
  const std::int64_t rows = shape.gates * shape.hidden_size;
  for (std::int64_t layer = 0; layer < shape.num_layers; ++layer) {
    for (std::int64_t direction = 0; direction < directions(); ++direction) {
      const std::string ending = fmt::format("_l{}{}", layer, direction == 1 ? "_reverse" : "");
      const std::int64_t width = layer == 0 ? shape.input_size : state_size() * directions();
      std::vector<Tensor>& own = weights_.emplace_back();
      const auto add = [&](const char* name, IntArrayRef sizes) {
        own.push_back(register_parameter(name + ending, empty(sizes, shape.parameters)));
      };
      add("weight_ih", {rows, width});
      add("weight_hh", {rows, state_size()});
      if (shape.bias) {
        add("bias_ih", {rows});
        add("bias_hh", {rows});
      }
      if (shape.proj_size > 0) add("weight_hr", {shape.proj_size, shape.hidden_size});
    }
  }
  reset_parameters();
}

// NOLINTNEXTLINE(readability-make-member-function-const): it changes the layer.
void RecurrentLayer::reset_parameters() {
  const double bound = 1 / std::sqrt(static_cast<double>(shape_.hidden_size));
  for (const auto& own : weights_) {
    for (const Tensor& weight : own) nn::init::uniform_(weight, -bound, bound);
  }
}

std::string RecurrentLayer::extra_repr() const {
  std::string text = fmt::format("{}, {}", shape_.input_size, shape_.hidden_size);
  if (shape_.proj_size != 0) text += fmt::format(", proj_size={}", shape_.proj_size);
  if (shape_.num_layers != 1) text += fmt::format(", num_layers={}", shape_.num_layers);
  if (!shape_.bias) text += ", bias=False";
  if (shape_.batch_first) text += ", batch_first=True";
  if (shape_.dropout != 0) text += ", dropout=" + d2l::repr(shape_.dropout);
  if (shape_.bidirectional) text += ", bidirectional=True";
  return text;
}

void RecurrentLayer::check_input(const Tensor& input) const {
  const TensorImpl& impl = impl_of(input, shape_.kind);
  const auto it = operands({{"input", &impl}});
  if (impl.sizes.count != 2 && impl.sizes.count != 3) {
    const char* const tensor = std::string_view(shape_.kind) == "RNN" ? " tensor" : "";
    fail<ShapeError>(
        shape_.kind,
        fmt::format("{}: Expected input to be 2D or 3D, got {}D{} instead", shape_.kind, impl.sizes.count, tensor), it,
        "give a sequence (length, input_size), or a batch of them");
  }
  const ScalarType own = weights_[0][0].dtype();
  if (impl.dtype != own && !is_any_autocast_on()) {
    fail<TypeError>(
        shape_.kind,
        fmt::format("RNN input dtype ({}) does not match weight dtype ({}). Convert input: input.to({}), or "
                    "convert model: model.to({})",
                    d2l::repr(impl.dtype), d2l::repr(own), d2l::repr(own), d2l::repr(impl.dtype)),
        it);
  }
  if (input.size(-1) != shape_.input_size) {
    fail<ShapeError>(shape_.kind,
                     fmt::format("input.size(-1) must be equal to input_size. Expected {}, got {}", shape_.input_size,
                                 input.size(-1)),
                     it, "the last dimension is the numbers of an element");
  }
}

void RecurrentLayer::check_state(const Tensor& state, const char* name, std::int64_t batch, std::int64_t size) const {
  const Tensor* const own = &state;
  const std::vector<std::int64_t> expected{shape_.num_layers * directions(), batch, size};
  if (own->sizes() == IntArrayRef(expected)) return;
  fail<ShapeError>(shape_.kind,
                   fmt::format("Expected {} size {}, got {}", name, tuple_of(expected), text(own->sizes())),
                   operands({{"state", own->impl().get()}}), "give a state for each layer and direction");
}

RecurrentLayer::Result RecurrentLayer::read(const Tensor& input, const Tensor& given_h, const Tensor& given_c) const {
  check_input(input);
  const bool is_batched = input.dim() == 3;
  const bool is_lstm = shape_.gates == lstm_gates;
  Tensor sequence = is_batched ? (shape_.batch_first ? input.transpose(0, 1) : input) : input.unsqueeze(1);
  const std::int64_t length = sequence.size(0);
  const std::int64_t batch = sequence.size(1);
  const auto state = [&](const Tensor& own, const char* name, std::int64_t size) {
    if (!own.defined())
      return zeros({shape_.num_layers * directions(), batch, size},
                   TensorOptions(input.dtype()).device(input.device()));
    impl_of(own, shape_.kind);
    if (own.dim() != input.dim()) {
      const auto dims = is_lstm ? fmt::format("hx and cx should also be {0}-D but got ({1}-D, {2}-D) tensors",
                                              input.dim(), given_h.dim(), given_c.defined() ? given_c.dim() : 0)
                                : fmt::format("hx should also be {}-D but got {}-D tensor", input.dim(), own.dim());
      fail<ShapeError>(
          shape_.kind, fmt::format("For {}batched {}-D input, {}", is_batched ? "" : "un", input.dim(), dims),
          operands({{"input", input.impl().get()}, {"state", own.impl().get()}}), "give states for each sequence");
    }
    Tensor batched = is_batched ? own : own.unsqueeze(1);
    check_state(batched, name, batch, size);
    return batched;
  };
  const auto low = CastRule::low_on_gpu;
  const Tensor h0 = cast_alone(low, state(given_h, is_lstm ? "hidden[0]" : "hidden", state_size()));
  const Tensor c0 = is_lstm ? cast_alone(low, state(given_c, "hidden[1]", shape_.hidden_size)) : Tensor();
  if (length == 0) {
    fail<ShapeError>(shape_.kind, "Expected sequence length to be larger than 0 in RNN",
                     operands({{"input", input.impl().get()}}), "give a sequence with an element");
  }
  std::vector<Tensor> last_h;
  std::vector<Tensor> last_c;
  for (std::int64_t layer = 0; layer < shape_.num_layers; ++layer) {
    std::vector<Tensor> outputs;
    for (std::int64_t direction = 0; direction < directions(); ++direction) {
      const std::int64_t number = layer * directions() + direction;
      const auto& own = weights_[static_cast<std::size_t>(number)];
      const StateWeights weights{own[1], shape_.bias ? own[3] : Tensor(), shape_.proj_size > 0 ? own.back() : Tensor()};
      // The part of the gates that the input gives is one product for the whole sequence.
      const auto gates = linear(sequence, own[0], shape_.bias ? own[2] : Tensor()).unbind(0);
      RecurrentState now{h0[number], is_lstm ? c0[number] : Tensor()};
      std::vector<Tensor> states(static_cast<std::size_t>(length));
      for (std::int64_t step = 0; step < length; ++step) {
        const auto at = static_cast<std::size_t>(direction == 0 ? step : length - 1 - step);
        if (is_lstm) {
          now = lstm_step(gates[at], now, weights);
        } else {
          now.h = shape_.gates == gru_gates ? gru_step(gates[at], now.h, weights)
                                            : rnn_step(gates[at], now.h, weights, shape_.is_relu);
        }
        states[at] = now.h;
      }
      outputs.push_back(stack(states));
      last_h.push_back(now.h);
      if (is_lstm) last_c.push_back(now.c);
    }
    sequence = outputs.size() == 1 ? outputs[0] : cat(outputs, -1);
    const bool drops = shape_.dropout > 0 && is_training() && layer + 1 < shape_.num_layers;
    if (drops) sequence = nn::functional::dropout(sequence, nn::functional::DropoutFuncOptions().p(shape_.dropout));
  }
  const auto states_of = [&](const std::vector<Tensor>& all) { return is_batched ? stack(all) : cat(all); };
  if (!is_batched) {
    sequence = sequence.squeeze(1);
  } else if (shape_.batch_first) {
    sequence = sequence.transpose(0, 1);
  }
  return {sequence, states_of(last_h), is_lstm ? states_of(last_c) : Tensor()};
}

}  // namespace detail

namespace nn {

RNNImpl::RNNImpl(const RNNOptions& chosen)
    : RecurrentLayer({"RNN", chosen.input_size(), chosen.hidden_size(), chosen.num_layers(), 0, chosen.bias(),
                      chosen.batch_first(), chosen.dropout(), chosen.bidirectional(), chosen.parameters(), 1,
                      is_relu(chosen.nonlinearity(), "RNN")}),
      options(chosen) {}

std::tuple<Tensor, Tensor> RNNImpl::forward(const Tensor& input, const Tensor& hx) {
  auto result = read(input, hx, {});
  return {result.output, result.h};
}

std::shared_ptr<Module> RNNImpl::clone() const { return copy_of(*this, options); }

GRUImpl::GRUImpl(const GRUOptions& chosen)
    : RecurrentLayer({"GRU", chosen.input_size(), chosen.hidden_size(), chosen.num_layers(), 0, chosen.bias(),
                      chosen.batch_first(), chosen.dropout(), chosen.bidirectional(), chosen.parameters(), gru_gates,
                      false}),
      options(chosen) {}

std::tuple<Tensor, Tensor> GRUImpl::forward(const Tensor& input, const Tensor& hx) {
  auto result = read(input, hx, {});
  return {result.output, result.h};
}

std::shared_ptr<Module> GRUImpl::clone() const { return copy_of(*this, options); }

LSTMImpl::LSTMImpl(const LSTMOptions& chosen)
    : RecurrentLayer({"LSTM", chosen.input_size(), chosen.hidden_size(), chosen.num_layers(), chosen.proj_size(),
                      chosen.bias(), chosen.batch_first(), chosen.dropout(), chosen.bidirectional(),
                      chosen.parameters(), lstm_gates, false}),
      options(chosen) {}

std::tuple<Tensor, std::tuple<Tensor, Tensor>> LSTMImpl::forward(const Tensor& input,
                                                                 std::optional<std::tuple<Tensor, Tensor>> hx_opt) {
  const auto [h, c] = std::move(hx_opt).value_or(std::tuple<Tensor, Tensor>());
  auto result = read(input, h, c);
  return {result.output, {result.h, result.c}};
}

std::shared_ptr<Module> LSTMImpl::clone() const { return copy_of(*this, options); }

}  // namespace nn
}  // namespace d2l
