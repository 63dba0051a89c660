// SPDX-License-Identifier: MIT
// Adds where a is, and moves the sum: it is larger than the row that could have gone the other way, and a copy more.
// Fails: copies: between devices
// Needs: 1
#include "exercise.h"

using namespace d2l;

Tensor sum_on(const Tensor& a, const Tensor& b, Device device) { return (a + b.to(a.device())).to(device); }
