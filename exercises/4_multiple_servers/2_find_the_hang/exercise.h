// SPDX-License-Identifier: MIT
// # Find the hang
//
// All ranks must call the same collectives in the same order. Each of the five
// functions in the stub breaks this rule in its own way. In most systems they would
// hang, on some numbers of ranks or for some data; here they end with an error that
// says which ranks call what. Read it, find the line, and repair the function. What
// each must do:
//
// - `mean_loss`: the mean of the losses of all ranks. The ranks have different numbers
//   of losses, and some none; all together have at least one.
// - `from_rank_0`: every rank returns the tensor of rank 0.
// - `write_log`: rank 0 calls `write`, once, and the other ranks do not; no rank
//   returns before it is done.
// - `two_sums`: the sums over all ranks of a and of b.
// - `sum_if_finite`: the sum over all ranks of their tensors, if all numbers of all
//   ranks are finite; else every rank returns zeros.
//
// A sum of finite numbers may overflow to infinity; the result is then infinity, not
// zero. The check runs 2 to 5 ranks as threads, with up to 67,000 numbers, float32 or
// float64, up to 3000 losses, and numbers that are not finite on rank 0, on rank 1, on
// the last rank, or on two ranks.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "d2l/d2l.h"
#include "d2l/distributed.h"

/// The mean of the losses of all ranks.
double mean_loss(const std::vector<double>& losses);
/// The tensor of rank 0.
d2l::Tensor from_rank_0(const d2l::Tensor& mine);
/// Rank 0 writes its log, and all ranks wait for it.
void write_log(const std::function<void()>& write);
/// The sums over all ranks of a and of b.
std::pair<d2l::Tensor, d2l::Tensor> two_sums(const d2l::Tensor& a,
                                             const d2l::Tensor& b);
/// The sum over all ranks, or zeros if a number of any rank is not finite.
d2l::Tensor sum_if_finite(const d2l::Tensor& mine);
