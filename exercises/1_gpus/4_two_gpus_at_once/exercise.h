// SPDX-License-Identifier: MIT
// # Two GPUs at once
//
// Two products that do not need each other can be computed on two GPUs at the same time, in about half of the time that
// one GPU takes for both. But only if the program lets them: one wait at the wrong place, and the second GPU begins
// when the first is done.
//
// Write `multiply_at_once`. It is given pairs of float32 matrices in main memory, A[i] and B[i], and for each pair a
// device. Some or all devices may be the same one. It returns the products and the time that they took together. So:
//
// - product number i is A[i] · B[i], computed once on devices[i], and stays there;
// - the clock starts when the operands are on their devices and every device has finished all that it was given before;
// - all products are ordered before the program waits for any of them: between the first order and the last it neither
//   waits nor copies;
// - the clock stops when every device has finished, not the first or the last alone. Nothing else is in the time.
//
// One thread is enough: the queues of the GPUs are what works at once, so start no threads. A product that is not timed
// may come before, as a warm-up; those timed are the last ones.
//
// The check calls the function with two to four products on one GPU and on all GPUs that there are, in an order that it
// draws, and computes the products itself in float64. It asks the driver where the results are. It makes copies and
// earlier work slow on purpose, and keeps each GPU from beginning a product until your program waits for that very GPU.
// The time may be half as long again as the truth, and 0.3 ms; it may not be shorter than the truth.
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// Products, each on its device, and the seconds from the first order until all were done.
struct TimedProducts {
  std::vector<d2l::Tensor> products;
  double seconds = 0;
};

/// A[i] · B[i] on devices[i], for all i at once; A and B are on the CPU.
TimedProducts multiply_at_once(const std::vector<d2l::Tensor>& A, const std::vector<d2l::Tensor>& B,
                               const std::vector<d2l::Device>& devices);
