// SPDX-License-Identifier: MIT
// For tests: each of the models with an optimizer and one batch, small enough for a few steps in a debug build.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "every_device.h"
#include "examples/digits.h"
#include "examples/lenet.h"
#include "examples/resnet.h"
#include "examples/sequences.h"
#include "examples/training.h"
#include "examples/transformer.h"

namespace d2l::examples {

/// A model, what it is trained with, and the shape of its scores.
struct SmallModel {
  std::string name;
  std::function<std::shared_ptr<nn::Module>()> make;
  std::function<std::unique_ptr<optim::Optimizer>(const std::vector<Tensor>&)> optimizer;
  Batch batch;
  std::vector<std::int64_t> shape_of_scores;
};

inline std::vector<SmallModel> small_models() {
  DigitOptions coloured;
  coloured.size = 32;
  coloured.channels = 3;
  const auto adam = [](const std::vector<Tensor>& parameters) -> std::unique_ptr<optim::Optimizer> {
    return std::make_unique<optim::Adam>(parameters, optim::AdamOptions(0.003));
  };
  const auto sgd = [](const std::vector<Tensor>& parameters) -> std::unique_ptr<optim::Optimizer> {
    return std::make_unique<optim::SGD>(parameters, optim::SGDOptions(0.02).momentum(0.9));
  };
  TransformerOptions sizes;
  sizes.width = 16;
  sizes.hidden = 32;
  sizes.dropout = 0.1;
  return {{"LeNet", [] { return LeNet().ptr(); }, adam, draw_digits(20, 1).tensors(), {20, 10}},
          {"ResNet18", [] { return ResNet18(3, 10, 4).ptr(); }, sgd, draw_digits(10, 1, coloured).tensors(), {10, 10}},
          {"Transformer",
           [sizes] { return Transformer(sizes).ptr(); },
           adam,
           draw_sequences(20, sizes.length, sizes.symbols, 1).tensors(),
           {20, sizes.length, sizes.symbols}}};
}

/// Runs `body` for each model; a failure names the model.
template <class Body>
void on_every_model(const Body& body) {
  for (const SmallModel& small : small_models()) {
    SCOPED_TRACE(small.name);
    body(small);
  }
}

/// The model with the parameters of this seed, on a device.
inline std::shared_ptr<nn::Module> made(const SmallModel& small, Device device, std::uint64_t seed = 1) {
  manual_seed(seed);
  const auto model = small.make();
  model->to(device);
  return model;
}

/// The batch on a device.
inline Batch batch_on(const SmallModel& small, Device device) {
  return {small.batch[0].to(device), small.batch[1].to(device)};
}

/// One step; the loss stays on its device.
inline Tensor step(nn::Module& model, const Batch& batch, optim::Optimizer& optimizer) {
  optimizer.zero_grad();
  const Tensor loss = loss_of(model.forward(batch[0]), batch[1]);
  loss.backward();
  optimizer.step();
  return loss.detach();
}

}  // namespace d2l::examples
