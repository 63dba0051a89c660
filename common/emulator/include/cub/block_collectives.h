// SPDX-License-Identifier: MIT
// CUB's collectives of a warp and of a block, through memory that the caller declares as shared.
#pragma once

#include <type_traits>

#include "../cuda_runtime.h"

// NOLINTBEGIN: the names are CUB's.
namespace cub {

struct Sum {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return a + b;
  }
};
struct Max {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return b > a ? b : a;
  }
};
struct Min {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};
struct Equality {
  template <class T, class U>
  bool operator()(const T& a, const U& b) const {
    return a == b;
  }
};
struct Inequality {
  template <class T, class U>
  bool operator()(const T& a, const U& b) const {
    return !(a == b);
  }
};
struct NullType {};
template <class K, class V>
struct KeyValuePair {
  using Key = K;
  using Value = V;
  Key key;
  Value value;
};
struct ArgMax {
  template <class K, class V>
  KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class K, class V>
  KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a, const KeyValuePair<K, V>& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE
};

namespace detail {

/// The values of the threads of a group, which can be a block or a part of a warp.
template <class T, int Threads>
struct Values {
  T of[Threads];
  T result;
  T before;
};

/// What block and warp have in common; Group has Threads, rank() and meet().
template <class Group, class T>
class Reduction {
 public:
  using TempStorage = Values<T, Group::Threads>;
  explicit Reduction(TempStorage& storage) : storage_(storage) {}
  /// The result is valid in the first thread.
  template <class Operation>
  T Reduce(T value, Operation operation, int valid = Group::Threads) {
    const int rank = Group::rank();
    if (rank < valid) storage_.of[rank] = value;
    Group::meet();
    T result = value;
    if (rank == 0) {
      for (int i = 1; i < valid; ++i) result = operation(result, storage_.of[i]);
    }
    return result;
  }
  template <int Items, class Operation>
  T Reduce(T (&values)[Items], Operation operation) {
    T own = values[0];
    for (int i = 1; i < Items; ++i) own = operation(own, values[i]);
    return Reduce(own, operation);
  }
  T Sum(T value, int valid = Group::Threads) { return Reduce(value, cub::Sum(), valid); }
  template <int Items>
  T Sum(T (&values)[Items]) {
    return Reduce(values, cub::Sum());
  }

 private:
  TempStorage& storage_;
};

template <class Group, class T>
class Scan {
 public:
  using TempStorage = Values<T, Group::Threads>;
  explicit Scan(TempStorage& storage) : storage_(storage) {}

  template <class Operation>
  void InclusiveScan(T input, T& output, Operation operation) {
    T total;
    InclusiveScan(input, output, operation, total);
  }
  template <class Operation>
  void InclusiveScan(T input, T& output, Operation operation, T& total) {
    scan(input, operation);
    output = storage_.of[Group::rank()];
    total = storage_.result;
  }
  /// `prefix` gets the total, and gives what comes before the first item. The threads of the first warp call it.
  template <class Operation, class Prefix>
  requires(std::is_invocable_v<Prefix&, T>) void InclusiveScan(T input, T& output, Operation operation,
                                                               Prefix& prefix) {
    scan(input, operation);
    const T before = prefix_of(prefix);
    output = operation(before, storage_.of[Group::rank()]);
  }
  template <class Operation, class Prefix>
  requires(std::is_invocable_v<Prefix&, T>) void ExclusiveScan(T input, T& output, Operation operation,
                                                               Prefix& prefix) {
    scan(input, operation);
    const T before = prefix_of(prefix);
    const int rank = Group::rank();
    output = rank == 0 ? before : operation(before, storage_.of[rank - 1]);
  }
  template <class Prefix>
  requires(std::is_invocable_v<Prefix&, T>) void InclusiveSum(T input, T& output, Prefix& prefix) {
    InclusiveScan(input, output, Sum(), prefix);
  }
  template <class Prefix>
  requires(std::is_invocable_v<Prefix&, T>) void ExclusiveSum(T input, T& output, Prefix& prefix) {
    ExclusiveScan(input, output, Sum(), prefix);
  }
  template <class Operation>
  void ExclusiveScan(T input, T& output, T initial, Operation operation) {
    T total;
    ExclusiveScan(input, output, initial, operation, total);
  }
  template <class Operation>
  void ExclusiveScan(T input, T& output, T initial, Operation operation, T& total) {
    scan(input, operation);
    const int rank = Group::rank();
    output = rank == 0 ? initial : operation(initial, storage_.of[rank - 1]);
    total = storage_.result;
  }
  template <int Items, class Operation>
  void ExclusiveScan(T (&input)[Items], T (&output)[Items], T initial, Operation operation) {
    T total;
    ExclusiveScan(input, output, initial, operation, total);
  }
  template <int Items, class Operation>
  void ExclusiveScan(T (&input)[Items], T (&output)[Items], T initial, Operation operation, T& total) {
    T own = input[0];
    for (int i = 1; i < Items; ++i) own = operation(own, input[i]);
    T before;
    ExclusiveScan(own, before, initial, operation, total);
    for (int i = 0; i < Items; ++i) {
      const T value = input[i];
      output[i] = before;
      before = operation(before, value);
    }
  }
  template <int Items, class Operation>
  void InclusiveScan(T (&input)[Items], T (&output)[Items], Operation operation) {
    T own = input[0];
    for (int i = 1; i < Items; ++i) own = operation(own, input[i]);
    scan(own, operation);
    const int rank = Group::rank();
    T sum = rank == 0 ? input[0] : operation(storage_.of[rank - 1], input[0]);
    output[0] = sum;
    for (int i = 1; i < Items; ++i) output[i] = sum = operation(sum, input[i]);
  }
  template <int Items, class Operation>
  void InclusiveScan(T (&input)[Items], T (&output)[Items], Operation operation, T& total) {
    InclusiveScan(input, output, operation);
    total = storage_.result;
  }
  void InclusiveSum(T input, T& output) { InclusiveScan(input, output, Sum()); }
  void InclusiveSum(T input, T& output, T& total) { InclusiveScan(input, output, Sum(), total); }
  void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(), Sum()); }
  void ExclusiveSum(T input, T& output, T& total) { ExclusiveScan(input, output, T(), Sum(), total); }
  template <int Items>
  void InclusiveSum(T (&input)[Items], T (&output)[Items]) {
    InclusiveScan(input, output, Sum());
  }
  template <int Items>
  void InclusiveSum(T (&input)[Items], T (&output)[Items], T& total) {
    InclusiveScan(input, output, Sum(), total);
  }
  template <int Items>
  void ExclusiveSum(T (&input)[Items], T (&output)[Items]) {
    ExclusiveScan(input, output, T(), Sum());
  }
  template <int Items>
  void ExclusiveSum(T (&input)[Items], T (&output)[Items], T& total) {
    ExclusiveScan(input, output, T(), Sum(), total);
  }

 private:
  /// Leaves the inclusive scan in the storage.
  template <class Operation>
  void scan(T input, Operation operation) {
    const int rank = Group::rank();
    storage_.of[rank] = input;
    Group::meet();
    if (rank == 0) {
      for (int i = 1; i < Group::Threads; ++i) storage_.of[i] = operation(storage_.of[i - 1], storage_.of[i]);
      storage_.result = storage_.of[Group::Threads - 1];
    }
    Group::meet();
  }
  template <class Prefix>
  T prefix_of(Prefix& prefix) {
    if (Group::rank() < 32) {
      const T before = prefix(storage_.result);
      if (Group::rank() == 0) storage_.before = before;
    }
    Group::meet();
    return storage_.before;
  }
  TempStorage& storage_;
};

template <int Size>
struct BlockGroup {
  static constexpr int Threads = Size;
  static int rank() { return static_cast<int>(d2l::emulator::thread_number()); }
  static void meet() { __syncthreads(); }
};
template <int Size>
struct WarpGroup {
  static constexpr int Threads = Size;
  static int rank() { return d2l::emulator::lane() % Size; }
  static void meet() {
    const unsigned all = Size == 32 ? 0xffffffffU : (1U << (Size % 32)) - 1U;
    __syncwarp(all << (d2l::emulator::lane() / Size * Size));
  }
};

}  // namespace detail

template <class T, int X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0>
using BlockReduce = detail::Reduction<detail::BlockGroup<X * Y * Z>, T>;
template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
using BlockScan = detail::Scan<detail::BlockGroup<X * Y * Z>, T>;
template <class T, int Size = 32, int = 0>
using WarpReduce = detail::Reduction<detail::WarpGroup<Size>, T>;
template <class T, int Size = 32, int = 0>
using WarpScan = detail::Scan<detail::WarpGroup<Size>, T>;

/// Each thread loads items that follow each other.
template <class T, int X, int Items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockLoad {
 public:
  struct TempStorage {};
  BlockLoad() = default;
  explicit BlockLoad(TempStorage&) {}
  template <class Input>
  void Load(Input from, T (&items)[Items]) {
    for (int i = 0; i < Items; ++i) items[i] = from[place(i)];
  }
  template <class Input>
  void Load(Input from, T (&items)[Items], int valid) {
    for (int i = 0; i < Items; ++i) {
      if (place(i) < valid) items[i] = from[place(i)];
    }
  }
  template <class Input>
  void Load(Input from, T (&items)[Items], int valid, T other) {
    for (int i = 0; i < Items; ++i) items[i] = place(i) < valid ? T(from[place(i)]) : other;
  }

 private:
  static int place(int i) {
    const int rank = static_cast<int>(d2l::emulator::thread_number());
    return Algorithm == BLOCK_LOAD_STRIPED ? rank + i * X * Y * Z : rank * Items + i;
  }
};
template <class T, int X, int Items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0>
class BlockStore {
 public:
  struct TempStorage {};
  BlockStore() = default;
  explicit BlockStore(TempStorage&) {}
  template <class Output>
  void Store(Output to, T (&items)[Items], int valid = 0x7FFFFFFF) {
    const int rank = static_cast<int>(d2l::emulator::thread_number());
    for (int i = 0; i < Items; ++i) {
      const int place = Algorithm == BLOCK_STORE_STRIPED ? rank + i * X * Y * Z : rank * Items + i;
      if (place < valid) to[place] = items[i];
    }
  }
};

}  // namespace cub
// NOLINTEND
