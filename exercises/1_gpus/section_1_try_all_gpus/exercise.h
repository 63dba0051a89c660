// SPDX-License-Identifier: MIT
// # All GPUs, or the CPU
//
// Section 1.1 shows `try_all_gpus()`, which tells a program where it may compute. Newer editions of the book have a
// mistake in it: on a computer without a GPU the list is empty, and a program that takes the first device of it
// crashes.
//
// Write the list anew, from the number of GPUs that the computer has:
//
// - every GPU, in the order of its index, where there are any;
// - a list of one device, the CPU, where there are none.
//
// The check calls the function with 0, with 1, with a larger number that it draws, and with the number of GPUs here; on
// each device of this last list it computes a sum, and asks the driver in whose memory the sum is.
#pragma once

#include <vector>

#include "d2l/d2l.h"

/// The devices of a computer with `count` GPUs: gpu(0), gpu(1), …; the CPU alone where `count` is 0.
std::vector<d2l::Device> all_gpus_or_cpu(int count);
