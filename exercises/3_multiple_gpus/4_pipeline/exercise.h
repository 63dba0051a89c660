// SPDX-License-Identifier: MIT
// # A pipeline
//
// If a network is divided by layers, only one GPU works at a time: each waits for the
// output of the one before it. A pipeline cuts the batch into micro-batches. While GPU
// 1 computes its layers for the first one, GPU 0 continues with the second.
//
// Write it first as a schedule. There are `stages` GPUs, one after another, and
// `batches` micro-batches. A task is the forward or the backward pass of one
// micro-batch on one stage. A forward pass takes 1 unit of time, and a backward pass
// takes 2. A forward pass needs that of the same micro-batch on the stage before. A
// backward pass needs its forward pass on its own stage, and the backward pass on the
// stage after. Each stage executes its own list in order, each task as soon as it can.
// What must hold for `tasks_of`:
//
// - A stage has one forward and one backward pass of each micro-batch, and no list
//   makes the stages wait forever.
// - All tasks are finished after 3 · (batches + stages − 1) units, which is the
//   earliest possible time.
// - What a forward pass stores for the backward pass takes memory. Stage s, from 0,
//   never stores more than `stages` − s micro-batches at once.
//
// Then write the step of a real network. Stage i computes tanh(h · W[i]) from the
// output h of the stage before, and the last one h · W[i]. What must hold for
// `pipeline_step`:
//
// - The result is the mean of (output − y)² over all rows and columns. The gradient of
//   this mean with respect to each W[i] is added to its grad(), as backward() does.
// - W[i] is on the device of stage i, x on the first one and y on the last. The result
//   is on the last.
// - The batch is cut by `chunk`. If `batches` does not divide the number of rows, the
//   last micro-batch is smaller, and there may be fewer micro-batches than `batches`.
// - From each stage to the next on another device, each micro-batch goes once, and its
//   gradient comes back once. Nothing else goes from device to device.
// - All forward passes are issued before the first backward pass. A device executes its
//   work in the order of issue, so the first one would otherwise wait for the last one
//   after each micro-batch.
// - The host waits for no device.
//
// The check executes the schedules for up to 20 stages and up to 70 micro-batches, and
// calls the step twice with 1 to 4 stages, on different devices where there are enough,
// and with up to 67,000 rows.
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// A pass of one micro-batch.
struct Task {
  bool backward;  ///< else it is the forward pass
  int batch;      ///< the number of the micro-batch, from 0
};

/// The tasks of a stage in the order in which it executes them.
std::vector<Task> tasks_of(int stage, int stages, int batches);
/// The loss of a batch; adds its gradients to those of all W[i].
d2l::Tensor pipeline_step(const d2l::Tensor& x, const d2l::Tensor& y,
                          const std::vector<d2l::Tensor>& W, int batches);
