// SPDX-License-Identifier: MIT
// # The hidden wait
//
// Section 1.2.3 shows that reading a value from a GPU is a copy and a wait. The loop
// below computes the mean loss of an epoch on the host. After each step the GPU is idle
// until the host has read the loss and issued the next step. The loop also does not
// report the best loss. Make it report the mean and the best loss, without a wait
// between the steps.
//
// Given: `step(i)` issues step number i and returns its loss, a float32 tensor with one
// element and no dimensions. All losses are on the same device. `count` is at least 1.
// What must hold:
//
// - `step` is called with 0, 1, …, count - 1, each once and in this order.
// - `mean` is the mean of the losses, and `best` is the smallest loss. Both are correct
//   to a relative error of 1e-5, for losses of any size and sign, even if their sum is
//   larger than any float. The losses do not change.
// - Until the last step is issued, the host does not wait, and nothing is copied to or
//   from a GPU.
// - In total, one copy brings the results to the host, and the host waits once. The
//   copy has at most 4 bytes per step (at most 8 if there is only one step).
//
// The check runs the function with one step, with a few, and with many, and compares
// the results with its own. It also holds the GPU's queue until the last step is
// issued: a solution that waits earlier would wait forever, so it gets an error
// instead. The check counts copies and waits with the ledger.
#pragma once

#include <functional>

#include "d2l/d2l.h"

/// The result of an epoch.
struct Epoch {
  float mean = 0;
  float best = 0;
};

/// Runs `count` steps and returns the mean and the smallest of their losses.
Epoch run_epoch(const std::function<d2l::Tensor(int)>& step, int count);
