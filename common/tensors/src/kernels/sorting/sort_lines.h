// SPDX-License-Identifier: MIT
// The stable sort of rows of keys, with their positions, on a GPU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "backend/kernel.h"
#include "kernels/element.h"
#include "kernels/policy.h"
#include "kernels/scratch.h"

namespace d2l::backend::kernels {

/// Whether a policy sorts pairs of a key and a position by itself.
template <class Policy>
concept sorts_pairs = requires(const KernelContext& context, std::uint32_t* keys, std::int64_t* positions) {
  Policy::sort_pairs(context, keys, keys, positions, positions, std::int64_t{0}, 32);
};

#ifndef __CUDACC__
/// The sort in one thread, where the host stands in for a GPU.
template <class Key>
struct PairSort {
  const Key* keys;
  Key* sorted_keys;
  const std::int64_t* positions;
  std::int64_t* sorted_positions;
  std::int64_t count;

  void operator()(std::int64_t) const {
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [this](auto a, auto b) { return keys[a] < keys[b]; });
    for (std::int64_t i = 0; i < count; ++i) {
      sorted_keys[i] = keys[order[static_cast<std::size_t>(i)]];
      sorted_positions[i] = positions[order[static_cast<std::size_t>(i)]];
    }
  }
};
#endif

/// Sorts `count` pairs by their keys of `bits` bits.
template <class Policy, class Key>
void sort_pairs(const KernelContext& context, const Key* keys, Key* sorted_keys, const std::int64_t* positions,
                std::int64_t* sorted_positions, std::int64_t count, int bits) {
  if constexpr (sorts_pairs<Policy>) {
    Policy::sort_pairs(context, keys, sorted_keys, positions, sorted_positions, count, bits);
  } else {
#ifndef __CUDACC__
    Policy::for_each(context, 1, PairSort<Key>{keys, sorted_keys, positions, sorted_positions, count});
#endif
  }
}

/// The number of the row of each position.
struct RowNumbers {
  const std::int64_t* positions;
  std::uint64_t* rows;
  std::int64_t row_length;

  D2L_HOST_DEVICE void operator()(std::int64_t i) const {
    rows[i] = static_cast<std::uint64_t>(positions[i] / row_length);
  }
};

/// Writes i to element i.
struct Positions {
  std::int64_t* out;
  D2L_HOST_DEVICE void operator()(std::int64_t i) const { out[i] = i; }
};

inline int bits_to_count(std::int64_t values) {
  int bits = 0;
  while (bits < 63 && (std::int64_t{1} << bits) < values) ++bits;
  return bits;
}

/// The positions of the elements of `keys` (rows, n), sorted by their keys within each row. `order` holds them all, and
/// the keys are overwritten. All pairs are sorted by their keys, and then by their rows.
template <class Policy, class Key>
void sort_rows(const KernelContext& context, Key* keys, std::int64_t* order, std::int64_t rows, std::int64_t n,
               int bits) {
  const std::int64_t count = rows * n;
  const Scratch<Key> sorted_keys(context, count);
  const Scratch<std::int64_t> positions(context, count);
  if (rows == 1) {
    Policy::for_each(context, count, Positions{positions.data()});
    sort_pairs<Policy>(context, keys, sorted_keys.data(), positions.data(), order, count, bits);
    return;
  }
  const Scratch<std::uint64_t> row_numbers(context, count);
  const Scratch<std::uint64_t> sorted_rows(context, count);
  Policy::for_each(context, count, Positions{order});
  sort_pairs<Policy>(context, keys, sorted_keys.data(), order, positions.data(), count, bits);
  Policy::for_each(context, count, RowNumbers{positions.data(), row_numbers.data(), n});
  sort_pairs<Policy>(context, row_numbers.data(), sorted_rows.data(), positions.data(), order, count,
                     bits_to_count(rows));
}

}  // namespace d2l::backend::kernels
