// SPDX-License-Identifier: MIT
// # All GPUs, or the CPU
//
// Section 1.1 shows `try_all_gpus()`, which tells a program where it can compute. Newer
// editions of the book have a bug in this function: on a computer without a GPU it
// returns an empty list, and a program that takes the first device of the list crashes.
//
// Write your own version. It is given the number of GPUs of a computer and returns a
// list:
//
// - with at least one GPU: every GPU, in the order of its index;
// - without a GPU: one device, the CPU.
//
// The check calls the function with 0, with 1, with a larger random number, and with
// the number of GPUs of this computer. On each device of this last list it computes a
// sum, and asks the driver which device owns the result.
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// The devices of a computer with `count` GPUs: gpu(0), gpu(1), …; the CPU alone where
/// `count` is 0.
std::vector<d2l::Device> all_gpus_or_cpu(int count);
