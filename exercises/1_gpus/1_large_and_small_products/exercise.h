// SPDX-License-Identifier: MIT
// # Large and small products
//
// How long does a matrix product take on the CPU, and how long on a GPU? At which size
// does the GPU become faster? To find out, you need a function that times one product.
// Such a function is easy to write, and easy to get wrong: a GPU accepts work now and
// does it later, so a clock that does not wait only measures how long it takes to issue
// the work.
//
// Write `seconds_of_product`. It gets two float32 matrices in main memory, A (n × k)
// and B (k × m), and a device. It returns how many seconds *one* product A·B takes on
// that device, when the operands are already there and the device has computed such a
// product before. So:
//
// - every product is computed on `device`, and is the whole product A·B in float32; the
//   function computes nothing else;
// - the clock starts after the device has finished all earlier work, and after at least
//   one untimed product, because the first product is slower;
// - the clock stops when the product is finished, not when it is issued;
// - while the clock runs, nothing is copied to or from the device, not even one
//   element;
// - you may time one product, or many and take the mean, the median or the minimum. The
//   result is the time of one product.
//
// You may use `d2l::measure`, `d2l::Timer` or `std::chrono`. The check calls the
// function for the CPU and for the last GPU, with random sizes. It reads from the
// ledger what was computed, where, and how long it really took. It also slows down, on
// purpose, everything that must not be timed: earlier work, copies, and the first
// product. To detect a clock that does not wait, it delays the start of a product until
// your program waits for the device. Your result may be at most 1.5 times the true time
// plus 0.3 ms, because your computer runs other programs too. It may not be shorter
// than the true time.
#pragma once

#include "d2l/d2l.h"

/// Seconds that one product A·B takes on `device`; A and B are on the CPU.
double seconds_of_product(const d2l::Tensor& A, const d2l::Tensor& B,
                          d2l::Device device);
