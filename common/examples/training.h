// SPDX-License-Identifier: MIT
/// @file
/// The training of a classifier: a loop over batches, as each of the programs has it.
#pragma once

#include "d2l/d2l.h"

namespace d2l::examples {

/// The means over the examples of an epoch.
struct Measured {
  double loss = 0;      ///< the cross-entropy
  double accuracy = 0;  ///< the part of right answers, 0 to 1
};

/// The cross-entropy of scores (…, classes) at targets (…) of the same shape without classes, int64; errors as
/// cross_entropy_loss().
Tensor loss_of(const Tensor& scores, const Tensor& targets);

/// Steps through the batches of inputs and targets once, in training mode. Nothing is copied to the host before the end
/// of the epoch, and then two numbers. Errors of the model.
Measured train_epoch(nn::Module& model, DataLoader& loader, optim::Optimizer& optimizer);

/// Measures without a step, in evaluation mode, which it leaves on; copies and errors as train_epoch().
Measured evaluate(nn::Module& model, DataLoader& loader);

/// Trains for some epochs, and prints a line with the loss and the accuracies after each. Returns what it measured last
/// on `unseen`.
Measured fit(nn::Module& model, DataLoader& seen, DataLoader& unseen, optim::Optimizer& optimizer, int epochs);

}  // namespace d2l::examples
