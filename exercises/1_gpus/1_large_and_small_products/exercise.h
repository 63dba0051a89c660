// SPDX-License-Identifier: MIT
// # Large and small products
//
// How long does a matrix product take on the CPU, how long on a GPU, and from which size on does the GPU win? To find
// out you need a function that times one product. Such functions are easy to write and easy to write wrong: a GPU takes
// an order and works later, and a clock that nobody holds back measures the ordering.
//
// Write `seconds_of_product`. It is given two float32 matrices in main memory, A (n × k) and B (k × m), and a device.
// It returns how many seconds *one* product A·B takes on that device, when the operands are there and the device has
// done such a product before. So:
//
// - every product is computed on `device`, and is the whole product A·B;
// - the clock starts after the device has finished all that it was given before, and after at least one product that
//   is not timed: the first one is slower;
// - the clock stops when the product is finished, not when it has been ordered;
// - between the two readings of the clock nothing is copied to or from the device, not even one element;
// - whether you time one product or many, and take the mean, the median or the least: the result is the time of one.
//
// You may use `d2l::measure`, `d2l::Timer` or `std::chrono`. The check calls the function for the CPU and for the last
// GPU, with sizes that it draws. It looks at the ledger to see what was computed, where, and how long that really took;
// and it makes on purpose what must not be timed very slow: work that was given before, copies, the first product. To
// find a clock that does not wait, it keeps each product from beginning until your program waits for the device. A
// result may be half as long again as the truth, and 0.3 ms, because your computer does other things too; it may not be
// shorter than the truth.
#pragma once

#include "d2l/d2l.h"

/// Seconds that one product A·B takes on `device`; A and B are on the CPU.
double seconds_of_product(const d2l::Tensor& A, const d2l::Tensor& B, d2l::Device device);
