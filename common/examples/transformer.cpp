// SPDX-License-Identifier: MIT
// Trains a transformer to reverse sequences.
#include "examples/transformer.h"

#include "examples/program.h"
#include "examples/sequences.h"
#include "examples/training.h"

int main(int count, char** words) {
  using namespace d2l::examples;
  Settings defaults;
  defaults.epochs = 3;
  defaults.examples = 2000;
  defaults.batch_size = 32;
  defaults.lr = 0.002;
  return run_program(
      count, words, "Trains a transformer to reverse sequences of eight digits.", defaults, [](const Settings& chosen) {
        const d2l::Device device = chosen.chosen_device();
        d2l::manual_seed(chosen.seed);
        TransformerOptions sizes;
        sizes.dropout = 0.1;
        const Transformer model(sizes);
        model->to(device);
        const auto options = d2l::DataLoaderOptions(chosen.batch_size).device(device);
        d2l::DataLoader seen(draw_sequences(chosen.examples, sizes.length, sizes.symbols, chosen.seed),
                             d2l::DataLoaderOptions(options).shuffle(true));
        d2l::DataLoader unseen(draw_sequences(500, sizes.length, sizes.symbols, chosen.seed + 1), options);
        d2l::optim::Adam optimizer(model->parameters(), d2l::optim::AdamOptions(chosen.lr));
        fit(*model, seen, unseen, optimizer, chosen.epochs);
      });
}
