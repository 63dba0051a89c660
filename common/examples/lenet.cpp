// SPDX-License-Identifier: MIT
// Trains LeNet on digits that it draws.
#include "examples/lenet.h"

#include "examples/digits.h"
#include "examples/program.h"
#include "examples/training.h"

int main(int count, char** words) {
  using namespace d2l::examples;
  Settings defaults;
  defaults.epochs = 10;
  defaults.examples = 2000;
  defaults.batch_size = 64;
  defaults.lr = 0.003;
  return run_program(
      count, words, "Trains LeNet on images of digits that it draws.", defaults, [](const Settings& chosen) {
        const d2l::Device device = chosen.chosen_device();
        d2l::manual_seed(chosen.seed);
        const LeNet model;
        model->to(device);
        const auto options = d2l::DataLoaderOptions(chosen.batch_size).device(device);
        d2l::DataLoader seen(draw_digits(chosen.examples, chosen.seed), d2l::DataLoaderOptions(options).shuffle(true));
        d2l::DataLoader unseen(draw_digits(500, chosen.seed + 1), options);
        d2l::optim::Adam optimizer(model->parameters(), d2l::optim::AdamOptions(chosen.lr));
        fit(*model, seen, unseen, optimizer, chosen.epochs);
      });
}
