// SPDX-License-Identifier: MIT
// Trains ResNet-18 on coloured digits that it draws.
#include "examples/resnet.h"

#include "examples/digits.h"
#include "examples/program.h"
#include "examples/training.h"

int main(int count, char** words) {
  using namespace d2l::examples;
  Settings defaults;
  defaults.epochs = 3;
  defaults.examples = 1000;
  defaults.batch_size = 32;
  defaults.lr = 0.02;
  defaults.width = 64;
  return run_program(count, words, "Trains ResNet-18 on coloured images of digits that it draws.", defaults,
                     [](const Settings& chosen) {
                       const d2l::Device device = chosen.chosen_device();
                       d2l::manual_seed(chosen.seed);
                       const ResNet18 model(3, 10, chosen.width);
                       model->to(device);
                       DigitOptions digits;
                       digits.size = 32;
                       digits.channels = 3;
                       const auto options = d2l::DataLoaderOptions(chosen.batch_size).device(device);
                       d2l::DataLoader seen(draw_digits(chosen.examples, chosen.seed, digits),
                                            d2l::DataLoaderOptions(options).shuffle(true));
                       d2l::DataLoader unseen(draw_digits(200, chosen.seed + 1, digits), options);
                       d2l::optim::SGD optimizer(model->parameters(),
                                                 d2l::optim::SGDOptions(chosen.lr).momentum(0.9).weight_decay(5e-4));
                       fit(*model, seen, unseen, optimizer, chosen.epochs);
                     });
}
