// SPDX-License-Identifier: MIT
// # Two GPUs at once
//
// Two independent products can run on two GPUs at the same time. That takes about half
// as long as both on one GPU. But the program must not wait in between: with a single
// wait in the wrong place, the second GPU starts only when the first has finished.
//
// Write `multiply_at_once`. It gets pairs of float32 matrices in main memory, A[i] and
// B[i], and a device for each pair. Some or all devices may be the same. It returns the
// products and the time that all of them took together. What must hold:
//
// - product number i is A[i] · B[i], computed in float32 on devices[i], and stays
//   there;
// - the clock starts when the operands are on their devices and every device has
//   finished all earlier work;
// - all products are issued before the program waits for any of them: between the first
//   launch and the last it neither waits nor copies;
// - the clock stops when every device has finished, not only the first or the last in
//   the list. The time includes nothing but the products.
//
// One thread is enough: the GPUs process their queues at the same time, so start no
// other threads. As a warm-up you may compute any products first. The timed products
// are the last ones, and you return these.
//
// The check calls the function with four or five products, on one GPU and on several,
// and computes the products itself in float64. It asks the driver where the results
// are. It slows down copies and earlier work on purpose. It also does not let a GPU
// start a product until your program waits for that GPU. Your time may be at most 1.5
// times the true time plus 0.3 ms, and it may not be shorter than the true time.
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// Products, each on its device, and the seconds from the first launch until all were
/// finished.
struct TimedProducts {
  std::vector<d2l::Tensor> products;
  double seconds = 0;
};

/// A[i] · B[i] on devices[i], for all i at the same time; A and B are on the CPU.
TimedProducts multiply_at_once(const std::vector<d2l::Tensor>& A,
                               const std::vector<d2l::Tensor>& B,
                               const std::vector<d2l::Device>& devices);
