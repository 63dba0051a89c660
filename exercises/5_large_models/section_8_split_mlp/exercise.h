// SPDX-License-Identifier: MIT
// # Split an MLP
//
// An MLP, tanh(x · W1 + b1) · W2 + b2, is too large for one GPU. Section 5.8 divides it
// between ranks: a rank computes some of the hidden values, and a term of the result.
// Write both halves of that, with biases and for any number of hidden values.
//
// `part_of` is called on each rank with the whole MLP, on the device of this rank. It
// returns what this rank keeps. What must hold:
//
// - W1 and b1 have some columns of the whole, and W2 the same rows. In the order of the
//   ranks these are all columns, each once. The numbers of two ranks differ by at most
//   one, so a rank may have none if there are few. b2 is whole on each rank.
// - All four are new leaves that require gradients. They share no memory with the
//   given MLP, which can be freed. They have its dtype and its device.
//
// `forward` is called on each rank with the same x, and with the part of this rank. The
// parts of this call may have any sizes. What must hold:
//
// - On each rank the result is that of the whole MLP.
// - All ranks call `backward()` on their result with the same gradient. Afterwards the
//   part of each rank has the gradients of the whole MLP for its columns and rows, and
//   b2 and x have theirs on each rank.
// - `forward` makes one all-reduce of a tensor of the size of the result. The backward
//   pass makes one of the size of x if x requires a gradient, and sends nothing if not.
//   The bytes that all k ranks send are 2 (k − 1) times those of this tensor.
//
// The process group is there already. The check runs 1 to 4 ranks as threads, with
// float32 and float64, up to 67,000 rows, and a part without hidden values. It computes
// everything in float64.
#pragma once

#include "d2l/d2l.h"
#include "d2l/distributed.h"

/// An MLP, or a rank's part of it.
struct Mlp {
  d2l::Tensor W1;  ///< (inputs, hidden)
  d2l::Tensor b1;  ///< (hidden)
  d2l::Tensor W2;  ///< (hidden, outputs)
  d2l::Tensor b2;  ///< (outputs)
};

/// What this rank keeps of an MLP.
Mlp part_of(const Mlp& whole);
/// The result of the whole MLP for x.
d2l::Tensor forward(const d2l::Tensor& x, const Mlp& part);
