// SPDX-License-Identifier: MIT
// to() for each operand is right as long as one of them is on the device; two that are elsewhere make two copies.
// Fails: together: 2 copies between devices
// Needs: 1
#include "exercise.h"

using namespace d2l;

Tensor sum_on(const Tensor& a, const Tensor& b, Device device) { return a.to(device) + b.to(device); }
