// SPDX-License-Identifier: MIT
// # Predict the peak
//
// Before you rent a card, you compute whether your network fits. Write the functions
// that say so, for any network of linear layers.
//
// Given: layer i has widths[i] inputs and widths[i + 1] outputs, a matrix and a bias,
// all float32. There are two layers or more, and a ReLU between each two. The optimizer
// is "SGD", "momentum" (SGD with momentum) or "Adam". A step is
//
//     loss = mse_loss(net(x), y);
//     loss.backward();
//     optimizer.step();
//     optimizer.zero_grad(/*set_to_none=*/true);
//
// and it is not the first one, so the optimizer has its state. x and y are float32 and
// need no gradient. This is what the library has in memory, beside the parameters, the
// state, x and y:
//
// - Forward: a ReLU makes its result, and then what went into it is freed. The results
//   of all ReLUs and the output of the last layer are kept. While `mse_loss` computes,
//   it has one more tensor of the size of the output.
// - Backward, from the last layer to the first: `mse_loss` frees the output when it has
//   made the gradient of it. A layer has the gradient of its output, and makes the
//   gradients of its input, its matrix and its bias. Then the gradient of its output is
//   freed. The first layer does not make the gradient of its input.
// - A ReLU has the gradient of its result, and makes the gradient of what went into it.
//   Then the gradient of its result is freed, and its result.
// - The step of the optimizer needs no more than its state.
//
// What must hold:
//
// - `peak_bytes` returns the most bytes that are there at one moment: all of the above,
//   parameters, state, x and y included. It is correct within 1 percent.
// - `largest_batch` returns the largest number of examples with which the peak is at
//   most `memory` bytes, within 2 percent or 1 example. It is 0 if even one example
//   does not fit.
//
// The check draws networks of 2 to 5 layers with 32 to 600 inputs, 320 to 600 hidden
// units and 10 outputs, and 1 to 1200 examples. It trains them, and takes the peak from
// the ledger. A GPU rounds each tensor up to a multiple of 512 bytes. With these
// networks that is less than 1 percent.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// The most bytes at one moment of a step of training with this many examples.
std::int64_t peak_bytes(const std::vector<std::int64_t>& widths, std::int64_t examples,
                        const std::string& optimizer);
/// The most examples with which that is at most `memory`.
std::int64_t largest_batch(const std::vector<std::int64_t>& widths,
                           const std::string& optimizer, std::int64_t memory);
