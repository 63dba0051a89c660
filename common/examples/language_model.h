// SPDX-License-Identifier: MIT
/// @file
/// A text as numbers, windows of it to train on, and a model that continues it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "examples/random.h"
#include "examples/transformer.h"

namespace d2l::examples {

/// The characters of a text, one string for each.
inline std::vector<std::string> characters_of(const std::string& text) {
  std::vector<std::string> characters;
  for (const char one : text) characters.emplace_back(1, one);
  return characters;
}

/// Draws `count` windows of `length` tokens, and for each token the one after it: two tensors (count, length), int64.
/// `tokens` has one dimension, on the CPU; ShapeError if it has not more than `length` elements.
inline TensorDataset draw_windows(const Tensor& tokens, std::int64_t count, std::int64_t length, std::uint64_t seed) {
  Random random(seed, 0);
  std::vector<Tensor> inputs;
  std::vector<Tensor> targets;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t begin = random.below(tokens.size(0) - length);
    inputs.push_back(tokens.narrow(0, begin, length));
    targets.push_back(tokens.narrow(0, begin + 1, length));
  }
  return TensorDataset({stack(inputs), stack(targets)});
}

/// Continues a text by `count` characters, each drawn with the probabilities of the model, whose scores are divided by
/// `temperature`. The model is in evaluation mode afterwards. Each character is an implicit copy from a GPU.
inline std::string write_on(Transformer& model, const Vocab& vocab, const std::string& begin, std::int64_t count,
                            double temperature) {
  const NoGradGuard unrecorded;
  model->eval();
  std::vector<std::string> written = characters_of(begin);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto seen = std::min<std::ptrdiff_t>(std::ssize(written), model->options.length);
    const std::vector<std::string> last(written.end() - seen, written.end());
    const Tensor scores = model->forward(tensor(vocab[last]).to(model->indices.device()).unsqueeze(0));
    const Tensor chances = (scores[0][-1] / temperature).softmax(0);
    written.push_back(vocab.to_tokens(chances.multinomial(1).item<std::int64_t>()));
  }
  std::string result;
  for (const std::string& one : written) result += one;
  return result;
}

}  // namespace d2l::examples
