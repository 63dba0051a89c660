// SPDX-License-Identifier: MIT
// # A copy-compute pipeline
//
// Numbers are in main memory, and the card computes the smallest divisor of each. The
// simple program copies all of them in, launches one kernel, and copies all of them
// out: only one part of the card works at a time. Write the pipeline of section 2.10:
// two streams that take the chunks in turn, so that one chunk is copied while another
// one is computed.
//
// Given: `input` and `output`, `count` numbers each in pinned main memory; the number
// of elements of a chunk, at least 1; a GPU, which need not be the current device of
// the thread. All inputs are at least 2. `smallest_divisor.cuh` has the kernel
// `smallest_divisor(std::int64_t* values, int count)`. It replaces each value by its
// smallest divisor above 1, with one thread per value: 12 becomes 2, 35 becomes 5, 7
// stays 7. What must hold:
//
// - When the function returns, `output` has the smallest divisor of each input, for any
//   `count` of 0 or more, also if `chunk` does not divide it. `input` does not change.
//   All work runs on `device`.
// - Each chunk needs one copy to the card, one launch and one copy back. The last chunk
//   may be shorter. Each copy has 8 bytes per element, so input and output cross the
//   link once.
// - Until the last copy is issued, the host does not wait. After that it waits at least
//   once (unless `count` is 0) and at most twice, by cudaStreamSynchronize,
//   cudaDeviceSynchronize or cudaEventSynchronize.
// - While one chunk is computed, others are copied.
// - The function allocates device memory for at most 2 chunks, and frees it. It
//   destroys its streams.
//
// The check holds the GPU until the last copy is issued, so that no work is done before
// then. In other calls it delays copies and launches, or makes some chunks slow. It
// runs the function with up to 40 chunks, and with chunks of up to 131,200 elements. It
// reads the copies, launches, waits and allocations from the ledger, and looks there
// for copies that ran while a kernel ran.
#pragma once

#include <cstdint>

#include "d2l/d2l.h"

/// Writes the smallest divisor above 1 of each of `count` numbers to `output`, `chunk`
/// elements at a time on two streams of `device`. Both arrays are pinned main memory.
void smallest_divisors(const std::int64_t* input, std::int64_t* output, int count,
                       int chunk, d2l::Device device);
