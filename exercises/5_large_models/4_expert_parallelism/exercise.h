// SPDX-License-Identifier: MIT
// # Expert parallelism
//
// A *mixture of experts* has several MLPs, the *experts*, in place of one. For each
// token a *router* chooses one or two of them. So the layer may have many parameters,
// of which a token needs few. With *expert parallelism* each rank keeps some of the
// experts, and computes them for the tokens of all ranks: a token is sent to the rank
// of its expert, and the result is sent back. Write this layer, with its gradients.
//
// Given are k ranks and E experts; E is a multiple of k. Rank r keeps E/k experts:
// those from r · E/k on, in order. All ranks have the same router, a matrix of E
// columns. Each rank has tokens of its own: the n rows of x, with d features each.
// Every rank may have another n, also 0. For a token x and p = softmax(x · router), the
// result is
//
//     y = Σ pₑ fₑ(x),  over the experts e with the `top` largest pₑ
//     fₑ(x) = gelu(x · W1 + b1) · W2 + b2,  with the weights of expert e
//
// `top` is 1 or 2, and `gelu` is the function of the library. The chosen pₑ are not
// divided by their sum.
//
// What must hold:
//
// - On each rank, the result is y of its tokens, on the device of x, as if one device
//   had all experts.
// - All ranks call `backward()` on their results. Then x and the router have their
//   gradients from the tokens of this rank. (Data parallelism adds up those of the
//   router later.) An expert has its gradients from the tokens of all ranks. An expert
//   that no token uses, and the router on a rank without tokens, have gradients of
//   zeros, or none.
// - A *row* is a token for one of its experts; with `top` 2 a token is two rows. For
//   each row that leaves it, a rank sends d numbers. For each row that comes to it, it
//   sends d numbers back. Besides, the forward pass sends at most 8 bytes for each row
//   that leaves, and 8 k E bytes: what the ranks must know about the rows. The backward
//   pass sends d numbers for each row that has left and d for each that has come, and
//   nothing else. If x requires no gradient, on all ranks, it sends only the d numbers
//   for each row that has left. Two rows of a token for one rank may be sent as one.
// - In the forward pass, the matrix products on the device of a rank make
//   2 n d E + 4 m d h floating-point operations, for m rows that its experts compute,
//   and h hidden values of an expert. No other device makes matrix products.
// - On GPUs, an exchange stages its tensors in main memory. Besides, only counts and
//   indices are copied there: with R rows on all ranks and numbers of b bytes, a pass
//   copies at most 2 R d b + 32 R + 64 k E bytes to main memory, and nothing from GPU
//   to GPU.
//
// The process group is there already. `distributed::all_to_all_single(output, input,
// output_rows, input_rows)` takes two tensors of rows. The first input_rows[0] rows of
// `input` go to rank 0, the next input_rows[1] rows to rank 1, and so on. `output` has
// room for output_rows[0] rows of rank 0, then for those of rank 1. Without the two
// lists all parts have equal sizes. Autograd does not record it.
//
// The check runs 1 to 4 ranks as threads, with one or two experts each and up to 4500
// tokens on a rank, in float32 and float64. There are ranks without tokens, experts
// without tokens, and an expert that gets all tokens. The chosen pₑ are at least 1 %
// larger than the others. Everything is compared with float64.
#pragma once

#include <cstdint>
#include <vector>

#include "d2l/d2l.h"
#include "d2l/distributed.h"

/// An MLP of d features and h hidden values. All four tensors require gradients.
struct Expert {
  d2l::Tensor W1;  ///< (d, h)
  d2l::Tensor b1;  ///< (h)
  d2l::Tensor W2;  ///< (h, d)
  d2l::Tensor b2;  ///< (d)
};

/// What a rank keeps of a mixture of experts, on its device.
struct Mixture {
  d2l::Tensor router;           ///< (d, E), the same on all ranks; requires a gradient
  std::vector<Expert> experts;  ///< the E/k experts of this rank
  std::int64_t top = 1;         ///< how many experts compute a token
};

/// The results for the tokens of this rank. All ranks call it together.
d2l::Tensor forward(const d2l::Tensor& x, const Mixture& mixture);
