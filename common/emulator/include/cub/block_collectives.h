// SPDX-License-Identifier: MIT
// CUB's reductions and scans of a block, through the memory that the caller declares as shared: with the same shuffles
// and accesses as on a card.
#pragma once

#include <algorithm>

#include "warp_collectives.h"

// NOLINTBEGIN: the names are CUB's.
namespace cub {
namespace detail {

inline int block_rank() { return static_cast<int>(d2l::emulator::thread_number()); }

/// The warps of a block, of which the last may have fewer lanes.
template <int Threads>
struct BlockWarps {
  static constexpr int count = (Threads + 31) / 32;
  static int own() { return block_rank() / 32; }
  static Lanes lanes() { return {d2l::emulator::lane() / 32 * 32, std::min(32, Threads - own() * 32)}; }
};

/// The values of a block's threads in shared memory. The lanes of the first warp then each work on a segment, which are
/// padded so that they meet no bank conflict.
template <class T, int Threads>
struct RakingGrid {
  static constexpr int segment = (Threads + 31) / 32;
  static constexpr int lanes = (Threads + segment - 1) / segment;
  static constexpr int padding = segment % 2 == 0 ? 1 : 0;

  T& at(int rank) { return of[rank + padding * (rank / segment)]; }
  static int end(int first) { return std::min(first + segment, Threads); }

  T of[lanes * (segment + padding)];
};

}  // namespace detail

template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
class BlockReduce : public detail::Reduction<BlockReduce<T, X, Algorithm, Y, Z>, T> {
  using Warps = detail::BlockWarps<X * Y * Z>;
  using Grid = detail::RakingGrid<T, X * Y * Z>;
  static constexpr bool by_warps = Algorithm == BLOCK_REDUCE_WARP_REDUCTIONS;
  struct OfWarps {
    T of[Warps::count];
  };

 public:
  static constexpr int Threads = X * Y * Z;
  struct TempStorage : std::conditional_t<by_warps, OfWarps, Grid> {};
  explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

 private:
  friend detail::Reduction<BlockReduce, T>;
  template <class Operation>
  T reduce(T value, Operation operation, int valid) {
    const int warp = Warps::own();
    if constexpr (Threads <= 32) {
      return Warps::lanes().reduce(value, operation, valid);
    } else if constexpr (by_warps) {
      value = Warps::lanes().reduce(value, operation, valid - warp * 32);
      if (detail::block_rank() % 32 == 0) storage_.of[warp] = value;
      __syncthreads();
      if (detail::block_rank() == 0) {
        for (int i = 1; i < Warps::count && i * 32 < valid; ++i) value = operation(value, storage_.of[i]);
      }
      return value;
    } else {
      return rake(value, operation, valid);
    }
  }
  template <class Operation>
  T rake(T value, Operation operation, int valid) {
    const int rank = detail::block_rank();
    storage_.at(rank) = value;
    __syncthreads();
    if (rank >= Grid::lanes) return value;
    const int first = rank * Grid::segment;
    value = storage_.at(first);
    for (int i = first + 1; i < std::min(Grid::end(first), valid); ++i) value = operation(value, storage_.at(i));
    return detail::Lanes{0, Grid::lanes}.reduce(value, operation, (valid + Grid::segment - 1) / Grid::segment);
  }
  TempStorage& storage_;
};

template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
class BlockScan : public detail::Scan<BlockScan<T, X, Algorithm, Y, Z>, T> {
  static constexpr int Threads = X * Y * Z;
  using Warps = detail::BlockWarps<Threads>;
  using Grid = detail::RakingGrid<T, Threads>;
  static constexpr bool by_warps = Algorithm == BLOCK_SCAN_WARP_SCANS && Threads % 32 == 0;
  struct OfWarps {
    T of[Warps::count];
  };

 public:
  struct TempStorage : std::conditional_t<by_warps, OfWarps, Grid> {
    T total;
    T before;
  };
  explicit BlockScan(TempStorage& storage) : storage_(storage) {}

 private:
  friend detail::Scan<BlockScan, T>;
  static int rank() { return detail::block_rank(); }
  template <class Operation>
  T exclusive_scan(const T& value, Operation operation, T* total) {
    if constexpr (Threads <= 32) {
      const T inclusive = Warps::lanes().inclusive_scan(value, operation);
      if (total != nullptr) *total = Warps::lanes().value_of(Threads - 1, inclusive);
      return Warps::lanes().value_of(rank() - 1, inclusive);
    } else if constexpr (by_warps) {
      return scan_warps(value, operation, total);
    } else {
      return rake(value, operation, total);
    }
  }
  template <class Operation>
  T scan_warps(const T& value, Operation operation, T* total) {
    const detail::Lanes lanes = Warps::lanes();
    const int warp = Warps::own();
    const T inclusive = lanes.inclusive_scan(value, operation);
    T before = lanes.value_of(lanes.rank() - 1, inclusive);
    if (lanes.rank() == 31) storage_.of[warp] = inclusive;
    __syncthreads();
    T sum = storage_.of[0];
    for (int i = 1; i < Warps::count; ++i) {
      if (i == warp) before = lanes.rank() == 0 ? sum : operation(sum, before);
      sum = operation(sum, storage_.of[i]);
    }
    if (total != nullptr) *total = sum;
    return before;
  }
  template <class Operation>
  T rake(const T& value, Operation operation, T* total) {
    storage_.at(rank()) = value;
    __syncthreads();
    if (rank() < Grid::lanes) {
      const int first = rank() * Grid::segment;
      const int end = Grid::end(first);
      T sum = storage_.at(first);
      for (int i = first + 1; i < end; ++i) sum = operation(sum, storage_.at(i));
      const detail::Lanes lanes{0, Grid::lanes};
      const T inclusive = lanes.inclusive_scan(sum, operation);
      T before = lanes.value_of(rank() - 1, inclusive);
      if (rank() == Grid::lanes - 1) storage_.total = inclusive;
      for (int i = first; i < end; ++i) {
        const T item = storage_.at(i);
        if (i > 0) storage_.at(i) = before;
        before = i == 0 ? item : operation(before, item);
      }
    }
    __syncthreads();
    if (total != nullptr) *total = storage_.total;
    return storage_.at(rank());
  }
  template <class Prefix>
  T prefix_of(Prefix& prefix, const T& total) {
    if (rank() < 32) {
      const T before = prefix(total);
      if (rank() == 0) storage_.before = before;
    }
    __syncthreads();
    return storage_.before;
  }
  TempStorage& storage_;
};

}  // namespace cub
// NOLINTEND
