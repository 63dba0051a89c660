// SPDX-License-Identifier: MIT
// # A sum across devices
//
// Section 1.2 shows that the operands of a sum must be on one device, and section 1.2.2
// shows that every copy has a cost. The function below comes from a program that used
// only GPUs. It throws when one of the devices is the CPU. When both operands are on
// the same device already, it copies both. Repair it.
//
// Given: `a` and `b`, whose shapes broadcast, and `device`. At most two devices take
// part: if the operands are on two devices, `device` is one of them. What must hold:
//
// - The result is `a + b`, in the memory of `device`. The operands do not change.
// - If both operands are on `device`, nothing is copied.
// - If one operand is on another device, only that operand is copied, unchanged: one
//   copy of exactly its bytes.
// - If both operands are together on another device, only one tensor is copied, once:
//   the sum.
// - Nothing is copied within a device.
//
// The check tries all combinations of at most two of these devices: the CPU, the first
// GPU and the last GPU. It uses a matrix and a row in either order, and two matrices.
// It computes the sums itself, asks the driver where they are, and reads the ledger.
// (Two GPUs without peer access copy through main memory, in two legs. The check counts
// that as one copy.)
#pragma once

#include "d2l/d2l.h"

/// a + b on `device`, with no more copies than necessary.
d2l::Tensor sum_on(const d2l::Tensor& a, const d2l::Tensor& b, d2l::Device device);
