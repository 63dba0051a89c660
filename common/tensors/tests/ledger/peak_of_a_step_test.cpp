// SPDX-License-Identifier: MIT
// The peak memory of a step of training, by formulas, and as the ledger counts it: the formula of section 5.1 for a
// perceptron, LeNet and a transformer, with each optimizer, in float32 and in mixed precision.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "d2l/autocast.h"
#include "d2l/nn.h"
#include "d2l/optim.h"
#include "every_device.h"

namespace d2l::testing {
namespace {

/// Bytes as a device gives them out: a GPU in multiples of 512.
class Rounding {
 public:
  explicit Rounding(Device device) : unit_(device.is_cuda() ? 512 : 1) {}
  [[nodiscard]] std::int64_t of(std::int64_t numbers, std::int64_t bytes_each) const {
    return (numbers * bytes_each + unit_ - 1) / unit_ * unit_;
  }

 private:
  std::int64_t unit_;
};

/// Memory that is taken and freed, and the most that there was.
class Running {
 public:
  void add(std::int64_t bytes) {
    now_ += bytes;
    most_ = std::max(most_, now_);
  }
  void remove(std::int64_t bytes) { now_ -= bytes; }
  [[nodiscard]] std::int64_t most() const { return most_; }

 private:
  std::int64_t now_ = 0;
  std::int64_t most_ = 0;
};

/// A layer of a chain, in numbers of elements.
struct Layer {
  std::int64_t result;
  std::int64_t weight = 0;  ///< a layer with weights needs its input in backward()
  std::int64_t bias = 0;
  bool needs_result = false;       ///< an activation computes its gradient from its result
  std::int64_t bias_partials = 0;  ///< of a convolution: one sum for each image and channel
};

/// The most that a step takes beside parameters, optimizer state and batch.
std::int64_t peak_of_chain(const std::vector<Layer>& layers, std::int64_t input, bool mixed, const Rounding& rounding) {
  const std::int64_t width = mixed ? 2 : 4;  // bytes of a number of an activation
  const auto bytes = [&](std::int64_t numbers) { return rounding.of(numbers, width); };
  const auto kept_as_input = [&](std::size_t i) { return i + 1 < layers.size() && layers[i + 1].weight > 0; };
  // A converted weight is kept for the gradient of the input, which the first layer does not compute.
  const auto converted = [&](std::size_t i) { return mixed && i > 0 ? bytes(layers[i].weight) : 0; };

  Running memory;
  memory.add(rounding.of(1, 4));  // the loss
  if (mixed) memory.add(bytes(input));
  for (std::size_t i = 0; i < layers.size(); ++i) {
    memory.add(converted(i));
    if (layers[i].needs_result || kept_as_input(i)) memory.add(bytes(layers[i].result));
  }
  memory.add(bytes(layers.back().result));  // the gradient of the output
  for (std::size_t i = layers.size(); i-- > 0;) {
    const Layer& layer = layers[i];
    const std::int64_t of_input = i > 0 ? bytes(layers[i - 1].result) : 0;
    memory.add(of_input);
    if (layer.weight == 0) {
      memory.remove(bytes(layer.result));
      if (layer.needs_result) memory.remove(bytes(layer.result));
      continue;
    }
    const auto remove_what_was_kept = [&] {
      memory.remove(converted(i));
      if (i > 0 && !layers[i - 1].needs_result) memory.remove(of_input);
    };
    memory.add(bytes(layer.weight));
    if (layer.bias_partials == 0) remove_what_was_kept();
    memory.add(bytes(layer.bias_partials));
    memory.add(bytes(layer.bias));
    memory.remove(bytes(layer.bias_partials));
    memory.remove(bytes(layer.result));
    if (layer.bias_partials > 0) remove_what_was_kept();
    if (mixed) {
      if (i == 0) memory.remove(bytes(input));
      for (const std::int64_t numbers : {layer.weight, layer.bias}) {
        memory.add(rounding.of(numbers, 4));
        memory.remove(bytes(numbers));
      }
    }
  }
  return memory.most();
}

struct Optimizer {
  std::string name;
  std::int64_t state;  ///< numbers for each parameter
  std::function<std::unique_ptr<optim::Optimizer>(const std::vector<Tensor>&)> make;
};

std::vector<Optimizer> optimizers() {
  using Parameters = std::vector<Tensor>;
  return {
      {"SGD", 0, [](const Parameters& all) { return std::make_unique<optim::SGD>(all, 0.01); }},
      {"momentum", 1,
       [](const Parameters& all) { return std::make_unique<optim::SGD>(all, optim::SGDOptions(0.01).momentum(0.9)); }},
      {"Adam", 2, [](const Parameters& all) { return std::make_unique<optim::Adam>(all, 0.001); }}};
}

/// A model on its device, and what a step computes.
struct Training {
  std::vector<Tensor> parameters;
  std::function<Tensor()> loss;
  std::int64_t others;  ///< bytes of the batch, and of what else is there in each step
};

/// Trains with each optimizer, in float32 and mixed precision, and compares the peak of the second step. `predicted` is
/// what a step adds to parameters, optimizer state and batch.
void expect_peaks(const std::function<Training(Device)>& make,
                  const std::function<std::int64_t(bool mixed, const Rounding&)>& predicted) {
  on_every_device([&](Device device) {
    const Rounding rounding(device);
    for (const Optimizer& kind : optimizers()) {
      for (const bool mixed : {false, true}) {
        SCOPED_TRACE(kind.name + (mixed ? ", mixed precision" : ", float32"));
        synchronize();  // what was freed before is not counted
        const std::int64_t before = TransferLedger().memory_over_time(device).front().bytes;
        const Training training = make(device);
        const auto optimizer = kind.make(training.parameters);
        const auto step = [&] {
          Tensor loss;
          {
            const amp::Autocast autocast(device.type(), kBFloat16, mixed);
            loss = training.loss();
          }
          loss.backward();
          optimizer->step();
          optimizer->zero_grad(/*set_to_none=*/true);
        };
        step();
        std::int64_t expected = training.others + predicted(mixed, rounding);
        for (const Tensor& one : training.parameters) expected += (1 + kind.state) * rounding.of(one.numel(), 4);
        const TransferLedger ledger;
        step();
        const MemoryPoint peak = ledger.memory_peak(device);
        EXPECT_EQ(peak.bytes - before, expected) << peak.operation;
      }
    }
  });
}

TEST(PeakOfAStep, OfAPerceptronEqualsTheFormula) {
  for (const std::int64_t examples : {64, 1024}) {
    SCOPED_TRACE(std::to_string(examples) + " examples");
    const auto make = [examples](Device device) {
      nn::Sequential net(nn::Linear(256, 512), nn::ReLU(), nn::Linear(512, 512), nn::ReLU(), nn::Linear(512, 10));
      net->to(device);
      const Tensor x = randn({examples, 256}, device);
      const Tensor y = randn({examples, 10}, device);
      const Rounding rounding(device);
      return Training{net->parameters(), [=] { return mse_loss(net->forward(x), y); },
                      rounding.of(x.numel(), 4) + rounding.of(y.numel(), 4)};
    };
    expect_peaks(make, [examples](bool mixed, const Rounding& rounding) {
      const std::vector<Layer> layers{{examples * 512, 256 * 512, 512},
                                      {examples * 512, 0, 0, true},
                                      {examples * 512, 512 * 512, 512},
                                      {examples * 512, 0, 0, true},
                                      {examples * 10, 512 * 10, 10}};
      return peak_of_chain(layers, examples * 256, mixed, rounding);
    });
  }
}

TEST(PeakOfAStep, OfLeNetEqualsTheFormula) {
  for (const std::int64_t examples : {8, 64}) {
    SCOPED_TRACE(std::to_string(examples) + " examples");
    const auto make = [examples](Device device) {
      nn::Sequential net(nn::Conv2d(nn::Conv2dOptions(1, 6, 5).padding(2)), nn::Sigmoid(), nn::AvgPool2d(2),
                         nn::Conv2d(nn::Conv2dOptions(6, 16, 5)), nn::Sigmoid(), nn::AvgPool2d(2), nn::Flatten(),
                         nn::Linear(400, 120), nn::Sigmoid(), nn::Linear(120, 84), nn::Sigmoid(), nn::Linear(84, 10));
      net->to(device);
      const Tensor x = randn({examples, 1, 28, 28}, device);
      const Tensor y = zeros({examples}, TensorOptions(kLong).device(device));
      const Rounding rounding(device);
      return Training{net->parameters(), [=] { return cross_entropy_loss(net->forward(x), y); },
                      rounding.of(x.numel(), 4) + rounding.of(y.numel(), 8)};
    };
    expect_peaks(make, [examples](bool mixed, const Rounding& rounding) {
      const std::vector<Layer> layers{{examples * 6 * 784, 6 * 25, 6, false, examples * 6},
                                      {examples * 6 * 784, 0, 0, true},
                                      {examples * 6 * 196},
                                      {examples * 16 * 100, 16 * 6 * 25, 16, false, examples * 16},
                                      {examples * 16 * 100, 0, 0, true},
                                      {examples * 400},
                                      {examples * 120, 400 * 120, 120},
                                      {examples * 120, 0, 0, true},
                                      {examples * 84, 120 * 84, 84},
                                      {examples * 84, 0, 0, true},
                                      {examples * 10, 84 * 10, 10}};
      return peak_of_chain(layers, examples * 784, mixed, rounding);
    });
  }
}

/// An encoder of a transformer: `layers` layers for sequences of `length` numbers of `width` elements.
struct Encoder {
  std::int64_t layers, length, examples, width, heads, hidden;

  /// The most beside parameters, optimizer state and batch: in the backward pass of the last layer's perceptron, at its
  /// ReLU, as long as `hidden` is large. All that the attention of this layer and the layers before have kept is there.
  [[nodiscard]] std::int64_t peak(bool mixed, const Rounding& rounding) const {
    const std::int64_t half = mixed ? 2 : 4;  // what products read and write
    const std::int64_t rows = length * examples;
    const std::int64_t floats = rounding.of(rows * width, 4);
    const std::int64_t halves = rounding.of(rows * width, half);
    const std::int64_t statistics = rounding.of(rows * 2, 8);
    const std::int64_t of_hidden = rounding.of(rows * hidden, half);
    const auto converted = [&](std::int64_t numbers) { return mixed ? rounding.of(numbers, 2) : 0; };

    // Kept are: what came in, queries, keys and values and the weights of attention in float32; the heads side by side,
    // and what went into the two products of the perceptron; what went into the two layer normalisations.
    const std::int64_t attention = 3 * floats + rounding.of(examples * heads * length * length, 4);
    const std::int64_t weights = converted(width * width) + 2 * converted(width * hidden);
    const std::int64_t of_layer = attention + 2 * halves + of_hidden + 2 * (floats + statistics) + weights;
    // The first layer's input is the batch, of which only a converted copy is new, and has no gradient.
    const std::int64_t inputs = (layers - 1) * (halves + converted(3 * width * width)) + converted(rows * width);
    const std::int64_t kept = layers * of_layer + inputs + rounding.of(1, 4);
    // The gradients of the second layer normalisation and product, and the one that goes around the perceptron.
    const std::int64_t gradients = 2 * rounding.of(width, 4) + rounding.of(width * hidden, 4) + rounding.of(width, 4);
    return kept - floats - statistics - converted(width * hidden) + floats + gradients + 2 * of_hidden;
  }
};

TEST(PeakOfAStep, OfATransformerEqualsTheFormula) {
  for (const Encoder& encoder : {Encoder{1, 40, 8, 64, 4, 320}, Encoder{3, 17, 6, 48, 3, 192}}) {
    SCOPED_TRACE(std::to_string(encoder.layers) + " layers");
    const auto make = [encoder](Device device) {
      const nn::TransformerEncoderLayer layer(nn::TransformerEncoderLayerOptions(encoder.width, encoder.heads)
                                                  .dim_feedforward(encoder.hidden)
                                                  .dropout(0.0));
      nn::TransformerEncoder net(nn::TransformerEncoderOptions(layer, encoder.layers));
      net->to(device);
      const Tensor x = randn({encoder.length, encoder.examples, encoder.width}, device);
      const Tensor y = randn(x.sizes(), device);
      std::int64_t others = 2 * Rounding(device).of(x.numel(), 4);
      // The layer whose copies an encoder consists of stays in its options, on the CPU.
      if (device.is_cpu()) {
        for (const Tensor& one : layer->parameters()) others += one.nbytes();
      }
      return Training{net->parameters(), [=] { return mse_loss(net->forward(x), y); }, others};
    };
    expect_peaks(make, [encoder](bool mixed, const Rounding& rounding) { return encoder.peak(mixed, rounding); });
  }
}

}  // namespace
}  // namespace d2l::testing
