// SPDX-License-Identifier: MIT
// # An elastic sampler
//
// In section 4.4 all ranks had done the same steps. With a parameter server, fast ranks
// have done more of the epoch than slow ones. Then servers leave, others arrive, and
// the rest of the epoch must be divided anew: nothing twice, nothing left out. No rank
// knows what the others have done.
//
// The examples have the numbers 0 to n − 1, and `order` is the order of this epoch,
// which all ranks know. Each rank calls the function below with the examples that it
// has computed in this epoch; a rank that has just arrived has none. What must hold:
//
// - What no rank has computed is left. It stays in the order of the epoch.
// - What is left is numbered again, from 0. Rank r gets the examples with the new
//   numbers r, r + k, r + 2k and so on, where k is the number of ranks now. So the
//   parts of two ranks differ by at most one example.
// - A rank sends at most 100 bytes more than in an all-reduce of n bytes. An epoch may
//   have a hundred million examples.
//
// What a lost rank computed since the last exchange is computed again, because no other
// rank has a record of it. (Two ranks may therefore have computed the same example.)
// The check runs 1 to 5 ranks as threads, with 0 to 67,000 examples.
#pragma once

#include <cstdint>
#include <vector>

#include "d2l/d2l.h"
#include "d2l/distributed.h"

/// The examples that this rank computes in the rest of the epoch.
std::vector<std::int64_t> rest_of(const std::vector<std::int64_t>& order,
                                  const std::vector<std::int64_t>& done);
