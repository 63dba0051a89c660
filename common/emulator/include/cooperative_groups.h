// SPDX-License-Identifier: MIT
// Cooperative groups: the block, its tiles, the lanes that are together, and the grid.
#pragma once

#include <bit>
#include <nv/target>
#include <type_traits>

#include "cooperative_groups/large_tiles.h"
#include "d2l_emulator/barriers.h"
#include "d2l_emulator/indices.h"
#include "d2l_emulator/warp.h"

// NOLINTBEGIN: the names are CUDA's.
namespace cooperative_groups {

using Place = d2l::emulator::Place;
using Lanes = d2l::emulator::LaneMask;

/// Any group of at most a block.
class thread_group {
 public:
  void sync(Place place = Place::here()) const {
    if (whole_block_) {
      __syncthreads(place);
    } else {
      __syncwarp(mask_, place);
    }
  }
  unsigned long long size() const { return size_; }
  unsigned long long num_threads() const { return size_; }
  unsigned long long thread_rank() const {
    return whole_block_ ? d2l::emulator::thread_number()
                        : static_cast<unsigned>(std::popcount(mask_ & ((Lanes{1} << d2l::emulator::lane()) - 1U)));
  }

 protected:
  friend thread_group tiled_partition(const thread_group& parent, unsigned size, Place place);
  thread_group(bool whole_block, Lanes mask, unsigned size) : whole_block_(whole_block), mask_(mask), size_(size) {}
  bool whole_block_;
  Lanes mask_;
  unsigned size_;
};

class thread_block : public thread_group {
 public:
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
  static unsigned thread_rank() { return d2l::emulator::thread_number(); }
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned num_threads() { return size(); }

 private:
  friend thread_block this_thread_block();
  thread_block() : thread_group(true, 0, size()) {}
};
inline thread_block this_thread_block() { return {}; }
template <unsigned MaxBlockSize>
thread_block this_thread_block(block_tile_memory<MaxBlockSize>& /*memory*/, Place place = Place::here()) {
  if (thread_block::size() > MaxBlockSize) {
    d2l::emulator::fail_kernel("cooperative_groups::block_tile_memory is for fewer threads than the block has", place);
  }
  return this_thread_block();
}

/// Lanes of one warp: what tiles and coalesced groups share.
class warp_group : public thread_group {
 public:
  unsigned size() const { return size_; }
  unsigned num_threads() const { return size_; }
  /// Of the warp, as a mask.
  Lanes lanes() const { return mask_; }
  unsigned thread_rank() const { return static_cast<unsigned>(thread_group::thread_rank()); }
  template <class T>
  T shfl(T value, int rank, Place place = Place::here()) const {
    return d2l::emulator::shuffle(mask_, value, lane_of(static_cast<unsigned>(rank) % size_), place);
  }
  template <class T>
  T shfl_up(T value, unsigned delta, Place place = Place::here()) const {
    const unsigned rank = thread_rank();
    return d2l::emulator::shuffle(mask_, value, lane_of(rank < delta ? rank : rank - delta), place);
  }
  template <class T>
  T shfl_down(T value, unsigned delta, Place place = Place::here()) const {
    const unsigned rank = thread_rank();
    return d2l::emulator::shuffle(mask_, value, lane_of(rank + delta >= size_ ? rank : rank + delta), place);
  }
  template <class T>
  T shfl_xor(T value, unsigned other, Place place = Place::here()) const {
    const unsigned rank = thread_rank();
    return d2l::emulator::shuffle(mask_, value, lane_of((rank ^ other) >= size_ ? rank : rank ^ other), place);
  }
  int any(int predicate, Place place = Place::here()) const { return __any_sync(mask_, predicate, place); }
  int all(int predicate, Place place = Place::here()) const { return __all_sync(mask_, predicate, place); }
  Lanes ballot(int predicate, Place place = Place::here()) const {
    return by_rank(__ballot_sync(mask_, predicate, place));
  }
  template <class T>
  Lanes match_any(T value, Place place = Place::here()) const {
    return by_rank(__match_any_sync(mask_, value, place));
  }
  template <class T>
  Lanes match_all(T value, int& predicate, Place place = Place::here()) const {
    return by_rank(__match_all_sync(mask_, value, &predicate, place));
  }

 protected:
  warp_group(Lanes mask, unsigned size) : thread_group(false, mask, size) {}

 private:
  int lane_of(unsigned rank) const {
    Lanes left = mask_;
    for (; rank > 0; --rank) left &= left - 1;
    return std::countr_zero(left);
  }
  /// Bit i of the result is the bit of the lane with rank i.
  Lanes by_rank(Lanes lanes) const {
    Lanes result = 0;
    unsigned rank = 0;
    for (Lanes left = mask_; left != 0; left &= left - 1, ++rank) {
      if ((lanes & left & (~left + 1U)) != 0) result |= Lanes{1} << rank;
    }
    return result;
  }
};

/// The first `size` lanes of a warp.
inline Lanes first_lanes(unsigned size) { return d2l::emulator::whole_warp >> (D2L_WARP_SIZE - size); }

/// A tile of at most a warp.
template <unsigned Size>
class small_tile : public warp_group {
  static_assert(Size > 0 && (Size & (Size - 1)) == 0, "tiles have 1, 2, 4, 8 … 256 or 512 threads");

 public:
  small_tile() : warp_group(mask_here(), Size) {}

 private:
  static Lanes mask_here() { return first_lanes(Size) << (static_cast<unsigned>(d2l::emulator::lane()) / Size * Size); }
};

template <unsigned Size>
class tile_of_size : public std::conditional_t<(Size > D2L_WARP_SIZE), large_tile<Size>, small_tile<Size>> {
 public:
  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  static unsigned thread_rank() { return d2l::emulator::thread_number() % Size; }
};

template <unsigned Size, class Parent = void>
class thread_block_tile : public tile_of_size<Size> {
 public:
  static unsigned meta_group_rank() { return Parent::thread_rank() / Size; }
  static unsigned meta_group_size() { return (Parent::size() + Size - 1) / Size; }
};
/// The type of the group that was divided is not known.
template <unsigned Size>
class thread_block_tile<Size, void> : public tile_of_size<Size> {
 public:
  template <class Parent>
  thread_block_tile(const thread_block_tile<Size, Parent>& other)
      : meta_group_rank_(other.meta_group_rank()), meta_group_size_(other.meta_group_size()) {}
  unsigned meta_group_rank() const { return meta_group_rank_; }
  unsigned meta_group_size() const { return meta_group_size_; }

 private:
  unsigned meta_group_rank_;
  unsigned meta_group_size_;
};

template <unsigned Size, class Parent>
thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}
template <unsigned Size, unsigned ParentSize, class Parent>
thread_block_tile<Size, thread_block_tile<ParentSize, Parent>> tiled_partition(
    const thread_block_tile<ParentSize, Parent>&) {
  static_assert(Size <= ParentSize, "a tile cannot have more threads than the tile that is divided");
  return {};
}
inline thread_group tiled_partition(const thread_group& parent, unsigned size, Place place = Place::here()) {
  if (size == 0 || size > D2L_WARP_SIZE || (size & (size - 1)) != 0) {
    constexpr const char* wrong = D2L_WARP_SIZE == 64
                                      ? "cooperative_groups::tiled_partition: the size must be 1, 2, 4, 8, 16, 32 or 64"
                                      : "cooperative_groups::tiled_partition: the size must be 1, 2, 4, 8, 16 or 32";
    d2l::emulator::fail_kernel(wrong, place);
  }
  if (parent.whole_block_) {
    return {false, first_lanes(size) << (static_cast<unsigned>(d2l::emulator::lane()) / size * size), size};
  }
  // By rank: the lanes of the parent may have gaps.
  const auto first = static_cast<unsigned>(parent.thread_rank()) / size * size;
  Lanes mask = 0;
  unsigned rank = 0;
  for (Lanes left = parent.mask_; left != 0; left &= left - 1, ++rank) {
    if (rank / size * size == first) mask |= left & (~left + 1U);
  }
  return {false, mask, static_cast<unsigned>(std::popcount(mask))};
}

class coalesced_group : public warp_group {
 public:
  static constexpr unsigned meta_group_rank() { return 0; }
  static constexpr unsigned meta_group_size() { return 1; }
  static coalesced_group of_lanes(Lanes mask) { return coalesced_group(mask); }

 private:
  friend coalesced_group coalesced_threads(Place place);
  explicit coalesced_group(Lanes mask) : warp_group(mask, static_cast<unsigned>(std::popcount(mask))) {}
};
inline coalesced_group coalesced_threads(Place place = Place::here()) {
  return coalesced_group(static_cast<Lanes>(d2l::emulator::converged_lanes(place)));
}

/// The lanes of the group with the same predicate, or the same label.
template <class Group>
coalesced_group binary_partition(const Group& group, bool predicate, Place place = Place::here()) {
  const Lanes lanes = __ballot_sync(group.lanes(), predicate ? 1 : 0, place);
  return coalesced_group::of_lanes(predicate ? lanes : group.lanes() & ~lanes);
}
template <class Label, class Group>
coalesced_group labeled_partition(const Group& group, Label label, Place place = Place::here()) {
  return coalesced_group::of_lanes(__match_any_sync(group.lanes(), label, place));
}

class grid_group {
 public:
  static void sync(Place place = Place::here()) { d2l::emulator::grid_barrier(place); }
  static bool is_valid() { return d2l::emulator::grid_is_cooperative(); }
  static unsigned long long num_blocks() { return std::uint64_t{gridDim.x} * gridDim.y * gridDim.z; }
  static unsigned long long block_rank() {
    return (std::uint64_t{blockIdx.z} * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  static unsigned long long size() { return num_blocks() * thread_block::size(); }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + d2l::emulator::thread_number();
  }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 block_index() { return blockIdx; }
};
inline grid_group this_grid() { return {}; }

template <class... A>
grid_group this_cluster(A&&...) {
  static_assert(sizeof...(A) == 999, "clusters of thread blocks are not supported by the emulator");
  return {};
}

template <class Group>
void sync(const Group& group, Place place = Place::here()) {
  group.sync(place);
}

template <class T>
struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  T operator()(T a, T b) const { return a ^ b; }
};

/// Every thread of the group gets the reduction of all values.
template <class Group, class T, class Operation>
T reduce(const Group& group, T value, Operation operation, Place place = Place::here()) {
  T result = group.shfl(value, 0, place);
  for (unsigned rank = 1; rank < group.size(); ++rank) {
    result = operation(result, group.shfl(value, static_cast<int>(rank), place));
  }
  return result;
}
template <class Group, class T, class Operation = plus<T>>
T inclusive_scan(const Group& group, T value, Operation operation = {}, Place place = Place::here()) {
  for (unsigned delta = 1; delta < group.size(); delta *= 2) {
    const T before = group.shfl_up(value, delta, place);
    if (group.thread_rank() >= delta) value = operation(before, value);
  }
  return value;
}
template <class Group, class T, class Operation = plus<T>>
T exclusive_scan(const Group& group, T value, Operation operation = {}, Place place = Place::here()) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation, place), 1, place);
  return group.thread_rank() == 0 ? T{} : before;
}

/// Those of a tile of more than a warp: of its warps first.
template <unsigned Size, class Parent, class T, class Operation>
requires(Size > D2L_WARP_SIZE) T
    reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation, Place place = Place::here()) {
  const T of_warp = reduce(tile_of_size<D2L_WARP_SIZE>(), value, operation, place);
  T result = tile.shfl(of_warp, 0, place);
  for (unsigned first = D2L_WARP_SIZE; first < Size; first += D2L_WARP_SIZE)
    result = operation(result, tile.shfl(of_warp, first, place));
  return result;
}

/// A thread's scan within its warp, and that of the warps before it in the tile.
template <class T>
struct scan_of_warps {
  T own;
  T before{};
  bool is_first = true;

  template <unsigned Size, class Parent, class Operation>
  scan_of_warps(const thread_block_tile<Size, Parent>& tile, T value, Operation operation, Place place)
      : own(inclusive_scan(tile_of_size<D2L_WARP_SIZE>(), value, operation, place)) {
    for (unsigned first = 0; first < Size; first += D2L_WARP_SIZE) {
      const unsigned last = first + D2L_WARP_SIZE - 1;
      const T sum = tile.shfl(own, last, place);
      if (last >= tile.thread_rank()) continue;
      before = is_first ? sum : operation(before, sum);
      is_first = false;
    }
  }
};
template <unsigned Size, class Parent, class T, class Operation = plus<T>>
requires(Size > D2L_WARP_SIZE) T inclusive_scan(const thread_block_tile<Size, Parent>& tile, T value,
                                                Operation operation = {}, Place place = Place::here()) {
  const scan_of_warps<T> scan(tile, value, operation, place);
  return scan.is_first ? scan.own : operation(scan.before, scan.own);
}
template <unsigned Size, class Parent, class T, class Operation = plus<T>>
requires(Size > D2L_WARP_SIZE) T exclusive_scan(const thread_block_tile<Size, Parent>& tile, T value,
                                                Operation operation = {}, Place place = Place::here()) {
  const scan_of_warps<T> scan(tile, value, operation, place);
  const T in_warp = tile_of_size<D2L_WARP_SIZE>().shfl_up(scan.own, 1, place);
  if (tile.thread_rank() % D2L_WARP_SIZE == 0) return scan.before;
  return scan.is_first ? in_warp : operation(scan.before, in_warp);
}

}  // namespace cooperative_groups
// NOLINTEND
