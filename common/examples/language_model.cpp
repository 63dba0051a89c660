// SPDX-License-Identifier: MIT
// Trains a transformer to continue "Alice's Adventures in Wonderland", character by character, and lets it write.
#include "examples/language_model.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "d2l/texts.h"
#include "examples/program.h"
#include "examples/training.h"

int main(int count, char** words) {
  using namespace d2l::examples;
  Settings defaults;
  defaults.epochs = 10;
  defaults.examples = 3000;
  defaults.batch_size = 16;
  defaults.lr = 0.001;
  return run_program(
      count, words, "Trains a transformer on the text of a book, and lets it write.", defaults,
      [](const Settings& chosen) {
        const d2l::Device device = chosen.chosen_device();
        const std::vector<std::string> characters = characters_of(d2l::course_text("alice"));
        const d2l::Vocab vocab(characters);
        const d2l::Tensor tokens = d2l::tensor(vocab[characters]);
        const std::int64_t trained = tokens.size(0) * 9 / 10;
        TransformerOptions sizes;
        sizes.symbols = static_cast<std::int64_t>(vocab.size());
        sizes.length = 64;
        sizes.width = 128;
        sizes.heads = 4;
        sizes.hidden = 512;
        sizes.layers = 4;
        sizes.dropout = 0.1;
        sizes.causal = true;
        d2l::manual_seed(chosen.seed);
        Transformer model(sizes);
        for (const d2l::Tensor& table : {model->symbols->weight, model->positions->weight}) {
          d2l::nn::init::normal_(table, 0, 0.3);
        }
        model->to(device);
        const auto options = d2l::DataLoaderOptions(chosen.batch_size).device(device);
        d2l::DataLoader seen(draw_windows(tokens.narrow(0, 0, trained), chosen.examples, sizes.length, chosen.seed),
                             d2l::DataLoaderOptions(options).shuffle(true));
        d2l::DataLoader unseen(
            draw_windows(tokens.narrow(0, trained, tokens.size(0) - trained), 100, sizes.length, chosen.seed), options);
        d2l::optim::AdamW optimizer(model->parameters(), d2l::optim::AdamWOptions(chosen.lr).weight_decay(0.1));
        fit(*model, seen, unseen, optimizer, chosen.epochs);
        fmt::print("{}\n", write_on(model, vocab, "Alice ", 500, 0.7));
      });
}
