// SPDX-License-Identifier: MIT
// # A sharded Adam
//
// Every rank has all parameters, and gradients from its own examples. If every rank
// also kept Adam's state, the same numbers would be there once for each rank. Write a
// step of Adam in which each rank keeps the state of one slice of the parameters only.
// It sends no more than the all-reduce that it replaces.
//
// With n parameters and N ranks, a slice has c numbers: n/N, rounded up. The last
// slices may have fewer, or none. Given are the parameters, equal on all ranks, and the
// gradient of this rank, which differs from rank to rank. With the *mean* g of the
// gradients of all ranks, and t = 1 in the first step, 2 in the second, a step is
//
//     m ← β₁ m + (1 − β₁) g
//     v ← β₂ v + (1 − β₂) g²
//     p ← p − lr · (m / (1 − β₁ᵗ)) / (√(v / (1 − β₂ᵗ)) + ε)
//
// What must hold:
//
// - After a step, the parameters are these, up to the rounding of float32. They are the
//   same on all ranks, bit for bit, and in the memory that they had. The gradient does
//   not change.
// - `make_state` returns the state before the first step. Between the steps, a rank
//   keeps at most 2 c numbers of float32 in it, and no other tensors.
// - In a step, a rank sends at most 2(N − 1) c numbers of float32.
//
// The process group is there already. `distributed::reduce_scatter_tensor` and
// `all_gather_into_tensor` take one tensor, with an equal part for each rank, in the
// order of the ranks. All tensors are on the CPU, have one dimension and dtype float32,
// and require no gradients. The check makes three steps on 1 to 5 ranks, which are
// threads, with 1 to 68,000 parameters. It counts what is kept and what is sent.
#pragma once

#include <cstdint>

#include "d2l/d2l.h"
#include "d2l/distributed.h"

/// What a rank keeps between the steps.
struct AdamState {
  d2l::Tensor mean;        ///< m, of the slice of this rank
  d2l::Tensor square;      ///< v, of the slice of this rank
  std::int64_t steps = 0;  ///< how many steps were made
};

/// The constants of Adam.
struct AdamSettings {
  double lr = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
};

/// The state of this rank before the first of the steps for n parameters.
AdamState make_state(std::int64_t n);
/// A step of all ranks together.
void sharded_adam(d2l::Tensor& parameters, const d2l::Tensor& gradient,
                  AdamState& state, const AdamSettings& settings);
