// SPDX-License-Identifier: MIT
// CUB's sorts of a block. One thread puts the items in order, which takes the least time here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "block_collectives.h"

// NOLINTBEGIN: the names are CUB's.
namespace cub {
namespace detail {

/// A number whose order is that of the keys' bits from `begin` to `end`; the order of numbers where these are all bits.
template <class Key>
auto sort_key(const Key& key, int begin, int end) {
  if constexpr (std::is_arithmetic_v<Key> && sizeof(Key) <= 8) {
    constexpr int width = 8 * sizeof(Key);
    constexpr std::uint64_t sign = std::uint64_t{1} << (width - 1);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &key, sizeof(Key));
    if constexpr (std::is_floating_point_v<Key>) {
      if (bits == sign) bits = 0;  // -0 is equal to 0
      bits = (bits & sign) != 0 ? ~bits : bits | sign;
    } else if constexpr (std::is_signed_v<Key>) {
      bits ^= sign;
    }
    bits <<= 64 - end;
    return bits >> (64 - end + begin);
  } else {
    return key;
  }
}
/// Sorts the items of all threads of a block; each thread gets items that follow each other, or every Threads-th one.
template <class Key, int Threads, int Items, class Value>
class BlockSort {
 public:
  struct TempStorage {
    Key keys[Threads * Items];
    Value values[Threads * Items];
    int order[Threads * Items];
  };
  explicit BlockSort(TempStorage& storage) : storage_(storage) {}

 protected:
  template <class Before>
  void sort(Key (&keys)[Items], Value* values, Before before, bool striped = false) {
    const int rank = static_cast<int>(d2l::emulator::thread_number());
    for (int i = 0; i < Items; ++i) {
      const int place = rank * Items + i;
      storage_.keys[place] = keys[i];
      if (values != nullptr) storage_.values[place] = values[i];
      storage_.order[place] = place;
    }
    __syncthreads();
    if (rank == 0) {
      const Key* all = storage_.keys;
      std::sort(storage_.order, storage_.order + Threads * Items,
                [=](int a, int b) { return before(all[a], all[b]) || (!before(all[b], all[a]) && a < b); });
    }
    __syncthreads();
    for (int i = 0; i < Items; ++i) {
      const int place = storage_.order[striped ? rank + i * Threads : rank * Items + i];
      keys[i] = storage_.keys[place];
      if (values != nullptr) values[i] = storage_.values[place];
    }
  }

 private:
  TempStorage& storage_;
};

}  // namespace detail

template <class Key, int X, int Items, class Value = NullType, int = 4, bool = true,
          BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, int = 0, int Y = 1, int Z = 1, int = 0>
class BlockRadixSort : public detail::BlockSort<Key, X * Y * Z, Items, Value> {
 public:
  using detail::BlockSort<Key, X * Y * Z, Items, Value>::BlockSort;
#define D2L_CUB_SORT(NAME, DESCENDING, STRIPED)                                                                  \
  void NAME(Key(&keys)[Items], int begin = 0, int end = 8 * sizeof(Key)) {                                       \
    this->sort(                                                                                                  \
        keys, nullptr, [=](const Key& a, const Key& b) { return less(DESCENDING, a, b, begin, end); }, STRIPED); \
  }                                                                                                              \
  void NAME(Key(&keys)[Items], Value(&values)[Items], int begin = 0, int end = 8 * sizeof(Key)) {                \
    this->sort(                                                                                                  \
        keys, values, [=](const Key& a, const Key& b) { return less(DESCENDING, a, b, begin, end); }, STRIPED);  \
  }
  D2L_CUB_SORT(Sort, false, false)
  D2L_CUB_SORT(SortDescending, true, false)
  D2L_CUB_SORT(SortBlockedToStriped, false, true)
  D2L_CUB_SORT(SortDescendingBlockedToStriped, true, true)
#undef D2L_CUB_SORT

 private:
  static bool less(bool descending, const Key& a, const Key& b, int begin, int end) {
    const auto left = detail::sort_key(descending ? b : a, begin, end);
    return left < detail::sort_key(descending ? a : b, begin, end);
  }
};

template <class Key, int X, int Items, class Value = NullType, int Y = 1, int Z = 1>
class BlockMergeSort : public detail::BlockSort<Key, X * Y * Z, Items, Value> {
 public:
  using detail::BlockSort<Key, X * Y * Z, Items, Value>::BlockSort;
  template <class Before>
  void Sort(Key (&keys)[Items], Before before) {
    this->sort(keys, nullptr, before);
  }
  template <class Before>
  void Sort(Key (&keys)[Items], Value (&values)[Items], Before before) {
    this->sort(keys, values, before);
  }
};

}  // namespace cub
// NOLINTEND
