// SPDX-License-Identifier: MIT
// Trains each model of common/examples for a short time, and prints the part of unseen examples that it gets right: a
// line NAME ACCURACY for each.
#include <fmt/format.h>

#include <cstdint>

#include "d2l/d2l.h"
#include "examples/digits.h"
#include "examples/lenet.h"
#include "examples/resnet.h"
#include "examples/sequences.h"
#include "examples/training.h"
#include "examples/transformer.h"

namespace {

using namespace d2l::examples;

/// Trains for some epochs without a line for each, and prints the accuracy.
void learn(const char* name, d2l::nn::Module& model, d2l::optim::Optimizer& optimizer, const d2l::TensorDataset& seen,
           const d2l::TensorDataset& unseen, int epochs) {
  d2l::DataLoader training(seen, d2l::DataLoaderOptions(32).shuffle(true));
  d2l::DataLoader validation(unseen, d2l::DataLoaderOptions(100));
  for (int epoch = 0; epoch < epochs; ++epoch) train_epoch(model, training, optimizer);
  fmt::print("{} {:.4f}\n", name, evaluate(model, validation).accuracy);
}

void learn_lenet() {
  d2l::manual_seed(1);
  const LeNet model;
  d2l::optim::Adam optimizer(model->parameters(), d2l::optim::AdamOptions(0.003));
  learn("lenet", *model, optimizer, draw_digits(2000, 1), draw_digits(500, 2), 6);
}

/// A quarter of the usual channels: the processor trains the whole network for minutes.
void learn_resnet() {
  d2l::manual_seed(1);
  const ResNet18 model(3, 10, 16);
  DigitOptions digits;
  digits.size = 32;
  digits.channels = 3;
  d2l::optim::Adam optimizer(model->parameters(), d2l::optim::AdamOptions(0.001));
  learn("resnet", *model, optimizer, draw_digits(1000, 1, digits), draw_digits(200, 2, digits), 3);
}

void learn_transformer() {
  d2l::manual_seed(1);
  TransformerOptions sizes;
  sizes.dropout = 0.1;
  const Transformer model(sizes);
  d2l::optim::Adam optimizer(model->parameters(), d2l::optim::AdamOptions(0.002));
  learn("transformer", *model, optimizer, draw_sequences(2000, sizes.length, sizes.symbols, 1),
        draw_sequences(500, sizes.length, sizes.symbols, 2), 2);
}

}  // namespace

int main() {
  learn_lenet();
  learn_resnet();
  learn_transformer();
}
