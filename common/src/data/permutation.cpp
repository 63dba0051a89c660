// SPDX-License-Identifier: MIT
// The Fisher–Yates shuffle with Philox numbers.
#include "data/permutation.h"

#include <Random123/philox.h>

#include <array>
#include <cstddef>
#include <numeric>
#include <utility>

namespace d2l::detail {

namespace {

/// The 64-bit numbers of a seed and an epoch, from counters that no random tensor uses.
class Numbers {
 public:
  Numbers(std::uint64_t seed, std::uint64_t epoch) : seed_(seed), epoch_(epoch) {}

  /// Uniform below `bound`, without bias: the upper half of a product, drawn again if it would favour some numbers.
  std::uint64_t below(std::uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t favoured = (0 - bound) % bound;
    while (true) {
      const Wide product = Wide{next()} * bound;
      if (static_cast<std::uint64_t>(product) >= favoured) return static_cast<std::uint64_t>(product >> 64U);
    }
  }

 private:
  std::uint64_t next() {
    if (left_ == 0) {
      const auto low = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
      const auto high = [](std::uint64_t number) { return static_cast<std::uint32_t>(number >> 32U); };
      constexpr std::uint32_t space = 0x80000000;
      const r123::Philox4x32::ctr_type counter = {
          {low(block_), low(epoch_), space | (high(epoch_) & 0x7fffffff), high(block_)}};
      const r123::Philox4x32::key_type key = {{low(seed_), high(seed_)}};
      const auto bits = r123::Philox4x32{}(counter, key);
      numbers_ = {std::uint64_t{bits[1]} << 32U | bits[0], std::uint64_t{bits[3]} << 32U | bits[2]};
      ++block_;
      left_ = numbers_.size();
    }
    return numbers_[numbers_.size() - left_--];
  }

  std::uint64_t seed_;
  std::uint64_t epoch_;
  std::uint64_t block_ = 0;
  std::array<std::uint64_t, 2> numbers_{};
  std::size_t left_ = 0;
};

}  // namespace

std::vector<std::int64_t> permutation(std::int64_t count, std::uint64_t seed, std::uint64_t epoch) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  Numbers numbers(seed, epoch);
  for (std::size_t left = order.size(); left > 1; --left) {
    std::swap(order[left - 1], order[static_cast<std::size_t>(numbers.below(left))]);
  }
  return order;
}

}  // namespace d2l::detail
