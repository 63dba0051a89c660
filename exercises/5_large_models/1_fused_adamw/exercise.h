// SPDX-License-Identifier: MIT
// # A fused AdamW
//
// An optimizer that goes over the parameters one after another launches a kernel, or
// several, for each of them. A transformer has hundreds of parameters, and many are
// small, such as biases: their launches take longer than their arithmetic. Write a step
// of AdamW that updates all parameters in one launch, and reads and writes each array
// once. PyTorch does this with `fused=True`.
//
// Given: a list of parameters on the same GPU, the settings, and t, the number of the
// step: 1 in the first. Each parameter p has its gradient g, and m and v, which are
// averages of g and of g². A step is
//
//     m ← β₁ m + (1 − β₁) g
//     v ← β₂ v + (1 − β₂) g²
//     p ← (1 − lr · λ) p − lr · (m / (1 − β₁ᵗ)) / (√(v / (1 − β₂ᵗ)) + ε)
//
// The weight decay λ is *decoupled*: it is not in the gradient, as it would be in Adam.
// A parameter may also be bfloat16 (section 5.2). Then its gradient is bfloat16, too,
// the formula is for its float32 *master*, and `value` becomes the master, rounded to
// the nearest. A list may have parameters of both kinds.
//
// What must hold:
//
// - After a step, m, v and p are these numbers up to the rounding of float32, in the
//   memory that they had. Gradients, and memory between tensors, do not change.
// - The list has any number of tensors, each contiguous, with any number of elements, 0
//   included. A tensor may be part of a larger one: its address is a multiple of the
//   size of an element, and need not be one of 16 bytes.
// - One launch of a kernel of yours makes a step, however many tensors there are; if no
//   tensor has an element there may be none. The library computes nothing and copies
//   nothing within the device, and the host does not wait for it.
// - You may copy tables to the device. With T tensors and n elements in all, there are
//   at most 8 copies, of 4096 + 256 T + n / 4 bytes in total. At most as many bytes are
//   allocated on the device. Nothing is copied back.
// - In a list with a tensor of 20,000 elements or more, the kernel loads and stores
//   each array once, or not at all. Let s be the sectors of 32 bytes of the arrays that
//   must be loaded: it loads at most 9 s / 8 + 64 T sectors, the tables included, and
//   likewise for stores. With 65,536 elements or more the work is spread, too: no block
//   makes more than a quarter of the steps.
//
// The check makes one step or two with each list, with new tensors of gradients in the
// second: up to 300 tensors, 0 to 70,000 elements in a tensor, t up to 1001, ε from
// 1e-8 to 0.5. It compares with float64, and takes the rest from the ledger and from
// the emulator's counts. A race and an access out of bounds fail the call.
#pragma once

#include <cstdint>
#include <vector>

#include "d2l/d2l.h"

/// A parameter, with what belongs to it: equal shapes, on one GPU.
struct Parameter {
  d2l::Tensor value;     ///< float32 or bfloat16
  d2l::Tensor gradient;  ///< of the same dtype
  d2l::Tensor mean;      ///< m, float32
  d2l::Tensor square;    ///< v, float32
  d2l::Tensor master;    ///< float32; undefined if `value` is float32
};

/// The constants of AdamW.
struct AdamWSettings {
  double lr = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.01;  ///< λ
};

/// Makes the step of number `t` with all parameters.
void fused_adamw(const std::vector<Parameter>& parameters,
                 const AdamWSettings& settings, std::int64_t t);
