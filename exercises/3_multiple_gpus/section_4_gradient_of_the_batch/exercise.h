// SPDX-License-Identifier: MIT
// # The gradient of the whole batch
//
// Training on several GPUs is correct if each copy of the parameters gets the gradient
// of the loss of the *whole* batch. Adding the gradients of the parts is not enough,
// because the loss of a part is a mean: the sum is too large, and nothing fails. Write
// a step whose gradient is correct.
//
// Given: the inputs x[i] (rows, inputs) and targets y[i] (rows, outputs) of the parts
// of a batch, and for each part the parameters copies[i], the matrix W (inputs,
// outputs) and the bias b (outputs), with the same values, on the device of the part.
// The prediction is x·W + b, and the loss of a batch is the mean of the squared errors
// over all of its elements. The parts may have different numbers of rows, and some have
// none. What must hold afterwards:
//
// - W.grad() and b.grad() of every copy are the gradients of the loss of all rows
//   together, on the device of the copy.
// - The gradients of all copies are bit-identical.
// - Earlier gradients are replaced, not added to.
// - The host waits for no device, and nothing is copied to it.
//
// The check computes the gradients in float64 from a formula. It uses one to five parts
// of 0 to 67,000 rows, and calls the function twice, the second time with other rows
// and other values of the parameters.
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// The parameters on one device.
struct Parameters {
  d2l::Tensor W;
  d2l::Tensor b;
};

/// Sets the gradients of all copies to those of the whole batch.
void compute_gradients(const std::vector<d2l::Tensor>& x,
                       const std::vector<d2l::Tensor>& y,
                       const std::vector<Parameters>& copies);
