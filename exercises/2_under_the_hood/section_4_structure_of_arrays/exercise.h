// SPDX-License-Identifier: MIT
// # A structure of arrays
//
// A simulation keeps its particles as an array of structures: x, y, z and mass of the
// first particle, then those of the second one. A kernel that needs only the masses
// fetches all of it, as section 2.4 shows. Take the structures apart, into four arrays,
// and fetch and store nothing that is not needed.
//
// Given: `particles`, a contiguous float32 matrix of n rows and 4 columns on a GPU; n
// is 0 or more. What must hold:
//
// - `x`, `y`, `z` and `mass` of the result are new contiguous float32 tensors of n
//   elements on the device of `particles`, with the columns 0, 1, 2 and 3. `particles`
//   does not change.
// - One launch of a kernel of yours makes all four; none if n is 0. The library may
//   only fill tensors, as `zeros` does; these launches do not count. From 8192
//   particles on, no warp and no block makes more than a quarter of the launch's steps,
//   and on average 8 threads of a warp or more make a step together.
// - Loads: at most n / 2 sectors of 32 bytes, rounded up, which is as many as the
//   matrix has.
// - Stores: at most n / 8 sectors for each of the four arrays, rounded up.
//
// The check runs the function with n = 0, 1, 31, 33 and about 265,000. The result must
// be exact; the rest is taken from the emulator's counts. An access out of bounds fails
// the call.
#pragma once

#include "d2l/d2l.h"

/// Particles as four arrays.
struct Particles {
  d2l::Tensor x, y, z, mass;
};

/// Takes the rows of an n × 4 matrix apart.
Particles take_apart(const d2l::Tensor& particles);
