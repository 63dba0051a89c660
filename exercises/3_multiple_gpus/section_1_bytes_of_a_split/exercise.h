// SPDX-License-Identifier: MIT
// # The bytes of a split
//
// Section 3.1 divides a network in three ways. Before you divide one that takes weeks
// to train, you compute what each way would send.
//
// Given: a network of linear layers with float32 parameters. Layer i has widths[i]
// inputs and widths[i + 1] outputs, a matrix and a bias. The number of layers is even.
// A step computes on `rows` examples, on k GPUs, and the input of the network needs no
// gradient, because nothing is before it. Count the bytes that go from GPU to GPU in
// one step, forward and backward, all GPUs together:
//
// - `network_split`: GPU 0 has the layers before cuts[0], GPU 1 those from cuts[0] to
//   before cuts[1], and so on. The values between two parts go forward, and their
//   gradients back.
// - `layer_split`: the layers are taken in pairs. Of each pair, a GPU has some columns
//   of the first matrix and the same rows of the second. GPU 0 sends the input of a
//   pair to each other GPU, and each of these sends its part of the output to GPU 0,
//   which adds them up. In the backward pass, GPU 0 sends the gradient of the output to
//   each other GPU, and each sends its part of the gradient of the input back, except
//   that of the first pair.
// - `data_split`: the gradients of all parameters are all-reduced around a ring.
// - `best`: the way that sends least, of those that fit: "network", "layers" or "data",
//   and "none" if no way fits. If two send equally many bytes, the result is the one
//   named later here. A way fits if no GPU needs more than `memory` bytes, at 16 bytes
//   for each of its parameters: the parameter, its gradient, and two numbers that Adam
//   keeps. (Training also needs memory for the activations.) In a layer split, each GPU
//   needs 1/k of the bytes of all parameters, rounded up.
//
// The check draws networks of 2 to 6 layers with widths of up to 60,000, up to 70,000
// rows and 2 to 5 GPUs, and counts the bytes itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// A network and the step that it computes.
struct Network {
  std::vector<std::int64_t>
      widths;             ///< of the input, of each hidden layer, and of the output
  std::int64_t rows = 0;  ///< the examples of a step
};

/// The bytes of a network that is cut before these layers.
std::int64_t network_split(const Network& network,
                           const std::vector<std::size_t>& cuts);
/// The bytes of layers that are divided between k GPUs.
std::int64_t layer_split(const Network& network, std::int64_t k);
/// The bytes of a batch that is divided between k GPUs.
std::int64_t data_split(const Network& network, std::int64_t k);
/// The way that sends least with cuts.size() + 1 GPUs.
std::string best(const Network& network, const std::vector<std::size_t>& cuts,
                 std::int64_t memory);
