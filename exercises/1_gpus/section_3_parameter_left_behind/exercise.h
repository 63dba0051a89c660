// SPDX-License-Identifier: MIT
// # The parameter that stayed behind
//
// Section 1.3 moves a network with `net.to(try_gpu())`, and all its parameters go along. The layer below has a scale
// for each of its outputs, which is to be trained as well. On the CPU it computes what it should. Once it has moved to
// a GPU it throws; an optimiser does not find the scale; a file of its parameters has no scale in it. Repair it.
//
// The layer is `linear(input) * scale`, with a `nn::Linear` of the given sizes and a scale of shape (out_features).
// What must hold:
//
// - Its parameters are "scale", "linear.weight" and "linear.bias", in any order and no others; the scale is all ones at
//   first, and all of them want gradients.
// - forward() uses them: also after load_state_dict() gave them other values, and backward() leaves gradients in all.
// - After `to(device)` all of them are on `device`, by its driver's word, and so is what forward() makes of an input
//   there.
// - forward() copies nothing from one device to another.
//
// The check draws the sizes, the values and the input, computes the result itself, and moves the layer to every device
// here and back.
#pragma once

#include <cstdint>
#include <memory>

#include "d2l/d2l.h"

/// A layer of these sizes, on the CPU.
std::shared_ptr<d2l::nn::Module> scaled_linear(std::int64_t in_features, std::int64_t out_features);
