// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

std::vector<bool> choose(const std::vector<Block>& blocks, std::int64_t /*limit*/) {
  // TODO: this plan has one block too many.
  return std::vector<bool>(blocks.size() + 1, true);
}

Tensor forward(const std::vector<nn::Sequential>& /*blocks*/, const Tensor& x,
               const std::vector<bool>& /*again*/) {
  // TODO: call the blocks.
  return x * 2;
}
