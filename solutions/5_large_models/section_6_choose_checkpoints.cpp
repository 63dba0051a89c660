// SPDX-License-Identifier: MIT
// Twelve blocks have 4096 plans, so it is simplest to try them all. What a plan needs
// is found in one walk over the blocks: `kept` is what is there when the block is
// reached, and on the way back that is what is left when it is computed again.
//
// A network of a hundred blocks has too many plans. There, libraries compute again
// whatever is cheap for its bytes: activations, and not products.
#include <algorithm>
#include <optional>

#include "exercise.h"

using namespace d2l;

namespace {

std::int64_t memory_of(const std::vector<Block>& blocks,
                       const std::vector<bool>& again) {
  std::int64_t kept = 0;
  std::int64_t most = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    kept += blocks[i].input;
    most = std::max(most, kept + blocks[i].inner);
    if (!again[i]) kept += blocks[i].inner;
  }
  return most;
}

}  // namespace

std::vector<bool> choose(const std::vector<Block>& blocks, std::int64_t limit) {
  std::optional<std::int64_t> least;
  std::vector<bool> best;
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << blocks.size(); ++bits) {
    std::vector<bool> again;
    std::int64_t time = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      again.push_back((bits >> i & 1) != 0);
      if (again[i]) time += blocks[i].microseconds;
    }
    if (memory_of(blocks, again) > limit || (least && time >= *least)) continue;
    least = time;
    best = again;
  }
  return best;
}

Tensor forward(const std::vector<nn::Sequential>& blocks, const Tensor& x,
               const std::vector<bool>& again) {
  Tensor y = x;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto call = [block = blocks[i]](const Tensor& input) {
      return block->forward(input);
    };
    y = again[i] ? utils::checkpoint(call, y) : call(y);
  }
  return y;
}
