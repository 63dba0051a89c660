// SPDX-License-Identifier: MIT
// # Three faults
//
// The stub below is a training program. It trains as it should, but it is slow, and it
// does not return the accuracy yet. This is the profile of a call with 2048 examples of
// 16 columns, in batches of 32, on one GPU. The network has a hidden layer of 10 units:
//
//     range          launches  MB of launches  copies  MB of copies  waits
//     load               4096             0.3    4096          0.15      0
//     standardise         448            50.9      64          8.39      0
//     step               1856             1.9       0             0      0
//     log                   0               0      64             0     64
//
// Find the three faults, and remove them. One shows in the number of copies, one in the
// bytes, and one in the waits. Then add the accuracy without a new fault.
//
// Given: N examples in main memory, a network on a GPU, an optimizer of its parameters,
// and the size of a batch, which divides N. An epoch
//
// - standardises each column of the inputs: (x − mean) / deviation, where the deviation
//   is the root of the mean of (x − mean)². Both means are over all N examples;
// - makes a step of the optimizer for each batch, in the order of the examples, with
//   the cross-entropy loss of the batch. The first step begins with no gradients. It is
//   a step of the optimizer, whatever its settings;
// - returns the mean of the losses of all steps, and the share of examples whose
// largest
//   score is that of their label. The scores are those with which the step of their
//   batch began.
//
// What must hold, with S steps:
//
// - Parameters, loss and accuracy are these, up to rounding.
// - To the GPU there are at most 2 S + 4 copies. They have no more bytes than the
//   examples, and 4096 for tables of your own.
// - To main memory there are at most 2 copies, of 16 bytes in all, and the host waits
//   for the GPU at most 4 times.
// - Nothing is computed on the CPU, or on another GPU. (Copies within main memory are
//   allowed: pinned memory needs them.)
// - Let P be the bytes of the parameters, B those of the inputs of a batch, and X those
//   of all inputs. The launches read and write at most S (60 P + 60 B) + 20 X bytes.
// - There are at most 80 S + 60 launches.
//
// A view, such as `narrow` returns, is no launch. The check calls the function twice
// for each of three networks, with other examples the second time. It counts with the
// ledger, and gives the GPU with the highest number.
#pragma once

#include <cstdint>

#include "d2l/d2l.h"

/// What the network learns from.
struct Examples {
  d2l::Tensor inputs;  ///< (N, columns), float32, in main memory
  d2l::Tensor labels;  ///< (N), int64, in main memory
};

/// What an epoch returns.
struct Report {
  double loss = 0;
  double accuracy = 0;
};

/// Trains the network for one epoch.
Report train_epoch(d2l::nn::Sequential& net, d2l::optim::SGD& optimizer,
                   const Examples& examples, std::int64_t batch_size);
