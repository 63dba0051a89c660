// SPDX-License-Identifier: MIT
// # A layer on several GPUs
//
// A layer may be too large for one memory. Section 3.1 divides a pair of layers: GPU i
// has some columns of the first matrix, W1[i], and the same rows of the second, W2[i].
// Write the forward pass, so that the backward pass follows from it.
//
// Given: x (rows, inputs) on any device; and one or more parts. W1[i] (inputs, h_i) and
// W2[i] (h_i, outputs) are on the same device. Several parts may be on one device, and
// the h_i may differ. What must hold:
//
// - The result is relu(x · W1) · W2 on the device of x, where W1 has the columns of all
//   W1[i], and W2 the rows of all W2[i], in order.
// - After `backward()` on it, x and all W1[i] and W2[i] that require gradients have the
//   correct ones, on their own devices.
// - Forward, x goes once to each other device on which there is a matrix, and one
//   tensor of the size of the result comes back for each. Nothing else goes from device
//   to device, not even a matrix. Backward, the gradients of these tensors go the other
//   way; that of x only if x requires one.
// - The host waits for no device.
//
// The check uses one to five parts, on different devices where there are enough, with
// up to 67,000 rows of float32, and once of float64. It computes everything in float64.
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// relu(x · W1) · W2 with matrices that are divided between devices.
d2l::Tensor split_layers(const d2l::Tensor& x, const std::vector<d2l::Tensor>& W1,
                         const std::vector<d2l::Tensor>& W2);
