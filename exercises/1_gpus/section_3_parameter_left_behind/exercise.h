// SPDX-License-Identifier: MIT
// # The parameter that stayed behind
//
// Section 1.3 moves a network with `net.to(try_gpu())`, and all its parameters move
// with it. The layer below also has a trainable scale for each of its outputs. On the
// CPU it works. But after a move to a GPU it throws an error, an optimizer does not
// find the scale, and a file of the layer's parameters does not contain it. Repair the
// layer.
//
// The layer computes `linear(input) * scale`, with an `nn::Linear` of the given sizes
// and a scale of shape (out_features). What must hold:
//
// - Its parameters are "scale", "linear.weight" and "linear.bias", in any order, and no
//   others. The scale starts as all ones, and every parameter requires gradients.
// - forward() uses them as they are: load_state_dict() and an optimizer change their
//   values, on the CPU and on a GPU. backward() leaves a gradient in each.
// - After `to(device)` all of them are on `device`, as reported by the driver. For an
//   input on `device`, the output of forward() is on it too.
// - forward() copies nothing between devices.
//
// The check uses random sizes, values and inputs, and computes the result itself. It
// moves the layer to every device of this computer and back to the CPU, and changes the
// parameters on each.
#pragma once

#include <cstdint>
#include <memory>

#include "d2l/d2l.h"

/// A layer of these sizes, on the CPU.
std::shared_ptr<d2l::nn::Module> scaled_linear(std::int64_t in_features,
                                               std::int64_t out_features);
