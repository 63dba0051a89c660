// SPDX-License-Identifier: MIT
// # One launch instead of three
//
// Two pictures are blended: one of them is made weaker or stronger by a factor and
// added to the other one, and what is then darker than black or brighter than white is
// cut off. As tensor operations that is a product, a sum and a clamp: three launches,
// which read and write everything three times. Section 2.3 shows how Thrust does it in
// one.
//
// Given: `x` and `y`, contiguous float32 tensors of n elements on the same GPU, and a
// factor `a`; n is 0 or more. What must hold:
//
// - The result is a new tensor of n elements on the same device: a * x[i] + y[i], but 0
//   if that is less than 0, and 1 if it is more than 1. `x` and `y` do not change.
// - One launch in total, or none if n is 0 (`zeros` would be another one: use `empty`);
//   no wait of the host, and no allocation except for the result. From 8192 elements
//   on, no warp and no block makes more than a quarter of the launch's steps, and on
//   average 8 threads of a warp or more make a step together.
// - 12 bytes per element: 8 loaded, 4 stored.
//
// The check runs the function with n = 0, 1, 31, 33 and about 265,000, and with
// elements that are huge or infinite, compares with float64, and takes the rest from
// the ledger and the emulator's counts.
#pragma once

#include "d2l/d2l.h"

/// a * x + y, clamped to 0 to 1.
d2l::Tensor blend(const d2l::Tensor& x, const d2l::Tensor& y, float a);
