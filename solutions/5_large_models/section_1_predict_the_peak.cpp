// SPDX-License-Identifier: MIT
// The backward pass is played through with numbers in place of tensors: activations go,
// and gradients of parameters come. The peak is the largest sum. With few examples it
// is at the first layer, when all gradients are there; with many it is at the last
// ReLU, when all activations still are. The forward pass is never the peak: it ends
// with the activations, with which the backward pass begins.
//
// The peak grows with the number of examples, so a search by halves finds the largest
// batch, wherever the moment of the peak is.
#include <algorithm>

#include "exercise.h"

std::int64_t peak_bytes(const std::vector<std::int64_t>& widths, std::int64_t examples,
                        const std::string& optimizer) {
  const std::size_t last = widths.size() - 1;
  const auto parameters = [&](std::size_t layer) {  // of the layer with these outputs
    return (widths[layer - 1] + 1) * widths[layer];
  };
  const auto rows_of = [&](std::size_t layer) { return examples * widths[layer]; };
  std::int64_t all = 0;
  for (std::size_t layer = 1; layer <= last; ++layer) all += parameters(layer);
  const int state = optimizer == "Adam" ? 2 : optimizer == "momentum" ? 1 : 0;
  const std::int64_t fixed = all * (1 + state) + rows_of(0) + rows_of(last);

  std::int64_t activations = 0;
  for (std::size_t layer = 1; layer < last; ++layer) activations += rows_of(layer);
  std::int64_t gradients = 0;
  std::int64_t peak = 0;
  for (std::size_t layer = last; layer >= 1; --layer) {
    if (layer < last) {  // its ReLU
      peak = std::max(peak, activations + gradients + 2 * rows_of(layer));
      activations -= rows_of(layer);
    }
    gradients += parameters(layer);
    const std::int64_t of_input = layer > 1 ? rows_of(layer - 1) : 0;
    peak = std::max(peak, activations + gradients + rows_of(layer) + of_input);
  }
  return 4 * (fixed + peak);
}

std::int64_t largest_batch(const std::vector<std::int64_t>& widths,
                           const std::string& optimizer, std::int64_t memory) {
  std::int64_t fits = 0;
  std::int64_t too_large = memory;
  while (too_large - fits > 1) {
    const std::int64_t middle = fits + (too_large - fits) / 2;
    if (peak_bytes(widths, middle, optimizer) <= memory) {
      fits = middle;
    } else {
      too_large = middle;
    }
  }
  return fits;
}
