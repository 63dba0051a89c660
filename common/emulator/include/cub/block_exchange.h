// SPDX-License-Identifier: MIT
// CUB's collectives of a block that move items between threads, compare neighbours, or count.
#pragma once

#include <type_traits>

#include "block_collectives.h"

// NOLINTBEGIN: the names are CUB's.
namespace cub {
namespace detail {

inline int warp_striped(int item, int items) {
  const int lane = block_rank() % 32;
  return (block_rank() - lane) * items + item * 32 + lane;
}

/// Loads or stores the items of a thread: `place(item)` of `memory`, where it is below `valid`.
template <class Input, class T, int Items, class Place>
void load_items(Input from, T (&items)[Items], long long valid, Place place) {
  for (int i = 0; i < Items; ++i) {
    if (place(i) < valid) items[i] = from[place(i)];
  }
}
template <class Output, class T, int Items, class Place>
void store_items(Output to, T (&items)[Items], long long valid, Place place) {
  for (int i = 0; i < Items; ++i) {
    if (place(i) < valid) to[place(i)] = items[i];
  }
}
inline constexpr long long all_valid = 0x7FFFFFFFFFFFFFFFLL;

/// operation(left, right), or operation(left, right, place of the right one).
template <class Operation, class T>
auto compare_neighbours(Operation operation, const T& left, const T& right, int place) {
  if constexpr (std::is_invocable_v<Operation, T, T, int>) {
    return operation(left, right, place);
  } else {
    return operation(left, right);
  }
}

}  // namespace detail

#define D2L_CUB_DIRECT(NAME, PARAMETERS, PLACE)                                  \
  template <PARAMETERS class T, int Items, class Input>                          \
  void LoadDirect##NAME([[maybe_unused]] int rank, Input from, T(&items)[Items], \
                        long long valid = detail::all_valid) {                   \
    detail::load_items(from, items, valid, [&](int i) { return PLACE; });        \
  }                                                                              \
  template <PARAMETERS class T, int Items, class Output>                         \
  void StoreDirect##NAME([[maybe_unused]] int rank, Output to, T(&items)[Items], \
                         long long valid = detail::all_valid) {                  \
    detail::store_items(to, items, valid, [&](int i) { return PLACE; });         \
  }
#define D2L_CUB_THREADS int Threads,
D2L_CUB_DIRECT(Blocked, , rank* Items + i)
D2L_CUB_DIRECT(Striped, D2L_CUB_THREADS, rank + i * Threads)
D2L_CUB_DIRECT(WarpStriped, , rank / 32 * 32 * Items + i * 32 + rank % 32)
#undef D2L_CUB_THREADS
#undef D2L_CUB_DIRECT

template <class T, int X, int Items, bool = false, int Y = 1, int Z = 1, int = 0>
class BlockExchange {
  static constexpr int threads = X * Y * Z;
  // Otherwise the threads would access the same banks.
  static constexpr bool is_padded = Items > 4 && (Items & (Items - 1)) == 0;

 public:
  struct TempStorage {
    T& at(int i) { return of[is_padded ? i + i / 32 : i]; }
    T of[threads * Items + (is_padded ? threads * Items / 32 : 0)];
  };
  explicit BlockExchange(TempStorage& storage) : storage_(storage) {}

  template <class U>
  void StripedToBlocked(const T (&in)[Items], U (&out)[Items]) {
    exchange(in, out, striped, blocked);
  }
  template <class U>
  void BlockedToStriped(const T (&in)[Items], U (&out)[Items]) {
    exchange(in, out, blocked, striped);
  }
  template <class U>
  void WarpStripedToBlocked(const T (&in)[Items], U (&out)[Items]) {
    exchange(in, out, warp_striped, blocked);
  }
  template <class U>
  void BlockedToWarpStriped(const T (&in)[Items], U (&out)[Items]) {
    exchange(in, out, blocked, warp_striped);
  }
  void StripedToBlocked(T (&items)[Items]) { StripedToBlocked(items, items); }
  void BlockedToStriped(T (&items)[Items]) { BlockedToStriped(items, items); }
  void WarpStripedToBlocked(T (&items)[Items]) { WarpStripedToBlocked(items, items); }
  void BlockedToWarpStriped(T (&items)[Items]) { BlockedToWarpStriped(items, items); }
  template <class Rank>
  void ScatterToBlocked(T (&items)[Items], Rank (&ranks)[Items]) {
    exchange(
        items, items, [&](int i) { return static_cast<int>(ranks[i]); }, blocked);
  }
  template <class Rank>
  void ScatterToStriped(T (&items)[Items], Rank (&ranks)[Items]) {
    exchange(
        items, items, [&](int i) { return static_cast<int>(ranks[i]); }, striped);
  }

 private:
  static int blocked(int i) { return detail::block_rank() * Items + i; }
  static int striped(int i) { return detail::block_rank() + i * threads; }
  static int warp_striped(int i) { return detail::warp_striped(i, Items); }
  template <class U, class From, class To>
  void exchange(const T (&in)[Items], U (&out)[Items], From from, To to) {
    for (int i = 0; i < Items; ++i) storage_.at(from(i)) = in[i];
    __syncthreads();
    for (int i = 0; i < Items; ++i) out[i] = storage_.at(to(i));
  }
  TempStorage& storage_;
};

/// The first and last items of the threads, for comparisons of neighbours.
template <class T, int X, int Y = 1, int Z = 1, int = 0>
class BlockDiscontinuity {
  static constexpr int threads = X * Y * Z;

 public:
  struct TempStorage {
    T first[threads];
    T last[threads];
  };
  explicit BlockDiscontinuity(TempStorage& storage) : storage_(storage) {}

  /// Without a predecessor, the first item of the block is a head.
  template <int Items, class Flag, class Operation, class... Predecessor>
  void FlagHeads(Flag (&flags)[Items], T (&items)[Items], Operation operation, Predecessor... before) {
    share(items);
    flag_heads(flags, items, operation, before...);
  }
  template <int Items, class Flag, class Operation, class... Successor>
  void FlagTails(Flag (&flags)[Items], T (&items)[Items], Operation operation, Successor... after) {
    share(items);
    flag_tails(flags, items, operation, after...);
  }
  template <int Items, class Flag, class Operation>
  void FlagHeadsAndTails(Flag (&heads)[Items], Flag (&tails)[Items], T (&items)[Items], Operation operation) {
    share(items);
    flag_heads(heads, items, operation);
    flag_tails(tails, items, operation);
  }

 private:
  template <int Items>
  void share(T (&items)[Items]) {
    storage_.first[detail::block_rank()] = items[0];
    storage_.last[detail::block_rank()] = items[Items - 1];
    __syncthreads();
  }
  template <int Items, class Flag, class Operation, class... Predecessor>
  void flag_heads(Flag (&flags)[Items], T (&items)[Items], Operation operation, Predecessor... before) {
    const int rank = detail::block_rank();
    const auto differs = [&](const T& left, int i) {
      return static_cast<Flag>(detail::compare_neighbours(operation, left, items[i], rank * Items + i));
    };
    for (int i = Items - 1; i > 0; --i) flags[i] = differs(items[i - 1], i);
    if (rank != 0) {
      flags[0] = differs(storage_.last[rank - 1], 0);
    } else if constexpr (sizeof...(before) == 0) {
      flags[0] = 1;
    } else {
      flags[0] = differs(before..., 0);
    }
  }
  template <int Items, class Flag, class Operation, class... Successor>
  void flag_tails(Flag (&flags)[Items], T (&items)[Items], Operation operation, Successor... after) {
    const int rank = detail::block_rank();
    const auto differs = [&](const T& right, int i) {
      return static_cast<Flag>(detail::compare_neighbours(operation, items[i], right, rank * Items + i + 1));
    };
    for (int i = 0; i + 1 < Items; ++i) flags[i] = differs(items[i + 1], i);
    if (rank != threads - 1) {
      flags[Items - 1] = differs(storage_.first[rank + 1], Items - 1);
    } else if constexpr (sizeof...(after) == 0) {
      flags[Items - 1] = 1;
    } else {
      flags[Items - 1] = differs(after..., Items - 1);
    }
  }
  TempStorage& storage_;
};

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int X, int Items, int Bins, BlockHistogramAlgorithm = BLOCK_HISTO_SORT, int Y = 1, int Z = 1,
          int = 0>
class BlockHistogram {
 public:
  struct TempStorage {};
  explicit BlockHistogram(TempStorage&) {}
  template <class Counter>
  void InitHistogram(Counter (&bins)[Bins]) {
    for (int bin = detail::block_rank(); bin < Bins; bin += X * Y * Z) bins[bin] = 0;
  }
  template <class Counter>
  void Composite(T (&items)[Items], Counter (&bins)[Bins]) {
    for (const T& item : items) atomicAdd(bins + static_cast<int>(item), Counter(1));
  }
  template <class Counter>
  void Histogram(T (&items)[Items], Counter (&bins)[Bins]) {
    InitHistogram(bins);
    __syncthreads();
    Composite(items, bins);
  }
};

}  // namespace cub
// NOLINTEND
