// SPDX-License-Identifier: MIT
// # Choose checkpoints
//
// A network of blocks needs more memory than there is. If a block is computed again, it
// keeps its input alone, and takes its time once more. Which blocks do you choose?
//
// A plan has a bool for each block: whether it is computed again, by a checkpoint of
// its own. Given are the bytes of each block's input, the bytes that it keeps inside,
// and the microseconds of its forward pass. The memory of a plan is the largest of
// these sums:
//
// - at the end of the forward pass: the inputs of all blocks, and the inner bytes of
//   those that are not computed again;
// - in the backward pass, when a block is computed again: the inputs of this block and
//   of all before it, the inner bytes of those before it that are not computed again,
//   and its own inner bytes. What belonged to later blocks is freed.
//
// What must hold:
//
// - `choose` returns a plan whose memory is at most `limit`, and whose blocks to
//   compute again take the least time together. If several do, any of them. If no plan
//   fits, it returns an empty plan.
// - `forward` returns the result of the blocks, one after another, from `x`. Those that
//   the plan names are computed again in `backward()`, each alone: the forward pass
//   keeps nothing inside them, and `backward()` launches their operations once more,
//   and no others. All gradients are as without a plan.
//
// The check draws 1 to 12 blocks for `choose`, and compares with the best of all plans.
// For `forward` it takes 5 blocks, and counts bytes and launches.
#pragma once

#include <cstdint>
#include <vector>

#include "d2l/checkpoint.h"
#include "d2l/d2l.h"

/// What a block needs.
struct Block {
  std::int64_t input = 0;         ///< the bytes of its input
  std::int64_t inner = 0;         ///< the bytes that it keeps besides
  std::int64_t microseconds = 0;  ///< of its forward pass
};

/// The blocks to compute again.
std::vector<bool> choose(const std::vector<Block>& blocks, std::int64_t limit);
/// The result of the blocks.
d2l::Tensor forward(const std::vector<d2l::nn::Sequential>& blocks,
                    const d2l::Tensor& x, const std::vector<bool>& again);
