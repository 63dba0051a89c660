// SPDX-License-Identifier: MIT
// # A sum across devices
//
// Section 1.2 shows that the operands of a sum must share a device, and section 1.2.2 that every copy has a price. The
// function below comes from a program that knew GPUs alone: it throws where the CPU takes part, and where both operands
// are in one place already, it moves both. Repair it.
//
// Given: `a` and `b`, whose shapes broadcast, and `device`. Two devices at most take part: where the operands are on
// two devices, `device` is one of these. What must hold:
//
// - The result is `a + b`, in the memory of `device`, and the operands are what they were.
// - Where both operands are on `device`, nothing crosses.
// - Where one of them is elsewhere, it crosses, as it is: one copy of as many bytes as it has.
// - Where both are elsewhere, together, still only one tensor crosses, once: the sum.
// - Nothing is copied within a device.
//
// The check goes through all pairs of the CPU, the first GPU and the last one, with a matrix and a row in either order.
// It computes the sums itself, asks the driver where they are, and reads the ledger. (Between two GPUs that cannot
// reach each other, a copy goes in two legs, through main memory; the check takes them for one.)
#pragma once

#include "d2l/d2l.h"

/// a + b on `device`, with no more copies than it needs.
d2l::Tensor sum_on(const d2l::Tensor& a, const d2l::Tensor& b, d2l::Device device);
