// SPDX-License-Identifier: MIT
// Adds on the device of a, and copies the sum: one copy too many, and the sum is larger than the row.
// Fails: copies: between devices
// Needs: 1
#include "exercise.h"

using namespace d2l;

Tensor sum_on(const Tensor& a, const Tensor& b, Device device) { return (a + b.to(a.device())).to(device); }
