// SPDX-License-Identifier: MIT
// Brings both to main memory, where everything can meet, and sends the sum on.
// Fails: copies: 2 copies between devices
// May fail: together
// Needs: 1
#include "exercise.h"

using namespace d2l;

Tensor sum_on(const Tensor& a, const Tensor& b, Device device) { return (a.cpu() + b.cpu()).to(device); }
