// SPDX-License-Identifier: MIT
// # Repair three kernels
//
// Three kernels were written in a hurry. In one of them a barrier is missing. In
// another one, not all threads of a block reach the barrier. The third has more
// barriers than it needs, and one of its steps is missing. The stub has them. Run
// `./learn check` and read the reports; section 2.6 says how.
//
// Given: `x`, a contiguous float32 tensor of `n` elements on a GPU; `n` is 1 or more.
// All three functions divide `x` into parts of 256 elements, one for each block; the
// last part may be shorter. What must hold:
//
// - `differences(x)` has n elements: each element minus the one before it in its part.
//   The first of each part is 0. At most 1 barrier per block.
// - `from_first(x)` has n elements: each element minus the first one of its part. At
//   most 1 barrier per block.
// - `sums_of_parts(x)` has an element for each part: its sum, correct within 1e-5 for
//   positive elements. At most 9 barriers per block.
// - Each function launches one kernel, whose threads exchange their values through
//   shared memory: it reads each element of `x` once, 4 * n bytes. The library may only
//   fill a tensor, as `zeros` does. The results are on the device of `x`, and `x` does
//   not change.
// - The emulator's checks report nothing.
//
// The check calls each function several times, since each launch runs its threads in
// another order, with sizes that fill the last part and that do not, and once with more
// than 1024 parts, with elements of either sign.
#pragma once

#include "d2l/d2l.h"

/// Each element minus the one before it, in parts of 256.
d2l::Tensor differences(const d2l::Tensor& x);
/// Each element minus the first one of its part.
d2l::Tensor from_first(const d2l::Tensor& x);
/// The sum of each part.
d2l::Tensor sums_of_parts(const d2l::Tensor& x);
