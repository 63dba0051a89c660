// SPDX-License-Identifier: MIT
// # The rest of the epoch
//
// A rank was lost in the middle of an epoch, and the training continues from a
// checkpoint with fewer ranks, or with more. No example may be used twice in the epoch,
// and none may be left out. And the batches must stay what they were: otherwise it is
// another training.
//
// Given: the order of the examples in this epoch, which is the same on all ranks; the
// number of examples in a batch, all ranks together; the number of steps that were done
// in this epoch; and the rank and the number of ranks *now*. Write which examples this
// rank computes in each of the remaining steps. What must hold:
//
// - Batch i of the epoch has the examples of the order from i · batch_size on. The last
//   batch may be smaller.
// - The result has a list for each remaining step, beginning with batch `steps_done`.
// - The lists of all ranks for a step, one after another by rank, are the batch in its
//   order.
// - The lists of two ranks for a step differ by at most one in length. Some may be
//   empty.
// - When all steps are done, nothing remains.
//
// The check draws epochs of 0 to 60 examples with batches of 1 to 16 or of more than
// there are examples, one epoch of 66,000 to 67,000 examples with batches of 20,001,
// and 1 to 6 ranks. It calls the function for each rank.
#pragma once

#include <cstdint>
#include <vector>

/// The examples of a rank in each remaining step of an epoch.
std::vector<std::vector<std::int64_t>> rest_of_epoch(
    const std::vector<std::int64_t>& order, std::int64_t batch_size,
    std::int64_t steps_done, int rank, int ranks);
