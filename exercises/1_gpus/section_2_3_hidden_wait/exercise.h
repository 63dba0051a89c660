// SPDX-License-Identifier: MIT
// # The wait that nobody wrote
//
// Section 1.2.3 shows that reading a value from a GPU is a copy and a wait. The loop below adds up the losses of an
// epoch on the host, so that the GPU stands idle after each step until the host has read the loss and issued the next.
// And it does not tell the best loss, which its user wants to know. Let it do both, without a wait between the steps.
//
// Given: `step(i)` issues step number i and returns its loss, a tensor of float32 with one element and no dimension, on
// a device that is the same for all steps; and `count`, at least 1. What must hold:
//
// - `step` is called with 0, 1, …, count - 1, each once and in this order.
// - `mean` is the mean of the losses, and `best` the smallest, within 1e-5 of their size, for losses of any size
//   and sign.
// - Until the last step is issued the host waits for nothing and copies nothing to or from a GPU.
// - In all, one copy brings what is wanted to the host, and the host waits once. It has 4 bytes a step at most, and
//   may have 8 where there is one step.
//
// The check runs it with one step, with a few, and with many, and compares with the losses that it drew. It lets the
// GPU hold its queue until the last step is issued: who waits before would wait for ever, and is told so. It reads the
// ledger.
#pragma once

#include <functional>

#include "d2l/d2l.h"

/// What is told of an epoch.
struct Epoch {
  float mean = 0;
  float best = 0;
};

/// Runs `count` steps, and tells the mean and the smallest of their losses.
Epoch run_epoch(const std::function<d2l::Tensor(int)>& step, int count);
