// SPDX-License-Identifier: MIT
// CUB's collectives of a warp: they exchange values by shuffles.
#pragma once

#include <cstring>
#include <type_traits>

#include "operations.h"

// NOLINTBEGIN: the names are CUB's.
namespace cub {
namespace detail {

/// Lanes of a warp that follow each other.
struct Lanes {
  int first;
  int size;

  int rank() const { return d2l::emulator::lane() - first; }
  d2l::emulator::LaneMask mask() const { return d2l::emulator::whole_warp >> (D2L_WARP_SIZE - size) << first; }
  /// The value of the lane with this rank, or the own one if there is none: a shuffle for every 4 bytes.
  template <class T>
  T value_of(int other, const T& value) const {
    const int source = first + (other >= 0 && other < size ? other : rank());
    unsigned words[(sizeof(T) + 3) / 4] = {};
    std::memcpy(words, &value, sizeof(T));
    for (unsigned& word : words) word = __shfl_sync(mask(), word, source, warpSize, ::d2l::emulator::Place::here());
    T result = value;
    std::memcpy(static_cast<void*>(&result), words, sizeof(T));
    return result;
  }
  /// The first lane gets the result of the first `valid` lanes.
  template <class T, class Operation>
  T reduce(T value, Operation operation, int valid) const {
    for (int distance = 1; distance < size; distance *= 2) {
      const T other = value_of(rank() + distance, value);
      if (rank() + distance < valid) value = operation(value, other);
    }
    return value;
  }
  template <class T, class Operation>
  T inclusive_scan(T value, Operation operation) const {
    for (int distance = 1; distance < size; distance *= 2) {
      const T other = value_of(rank() - distance, value);
      if (rank() >= distance) value = operation(other, value);
    }
    return value;
  }
};

/// What warp and block have in common; Derived has `Threads` and reduce().
template <class Derived, class T>
class Reduction {
 public:
  /// The result is valid in the first thread.
  template <class Operation>
  T Reduce(T value, Operation operation, int valid = Derived::Threads) {
    return static_cast<Derived&>(*this).reduce(value, operation, valid);
  }
  template <int Items, class Operation>
  T Reduce(T (&values)[Items], Operation operation) {
    T own = values[0];
    for (int i = 1; i < Items; ++i) own = operation(own, values[i]);
    return Reduce(own, operation);
  }
  T Sum(T value, int valid = Derived::Threads) { return Reduce(value, cub::Sum(), valid); }
  template <int Items>
  T Sum(T (&values)[Items]) {
    return Reduce(values, cub::Sum());
  }
};

/// Derived has rank(), prefix_of(), and exclusive_scan(value, operation, total), whose result the first thread must not
/// use, and which sets the total unless it is null.
template <class Derived, class T>
class Scan {
 public:
  template <class Operation>
  void InclusiveScan(T input, T& output, Operation operation) {
    const T before = self().exclusive_scan(input, operation, nullptr);
    output = with_prefix(before, input, operation);
  }
  template <class Operation>
  void InclusiveScan(T input, T& output, Operation operation, T& total) {
    const T before = self().exclusive_scan(input, operation, &total);
    output = with_prefix(before, input, operation);
  }
  /// `prefix` gets the total, and gives what comes before the first item. The threads of the first warp call it.
  template <class Operation, class Prefix>
  requires(std::is_invocable_v<Prefix&, T>) void InclusiveScan(T input, T& output, Operation operation,
                                                               Prefix& prefix) {
    ExclusiveScan(input, output, operation, prefix);
    output = operation(output, input);
  }
  /// The first thread's result is undefined.
  template <class Operation>
  requires(!std::is_invocable_v<Operation&, T>) void ExclusiveScan(T input, T& output, Operation operation) {
    output = self().exclusive_scan(input, operation, nullptr);
  }
  template <class Operation, class Prefix>
  requires(std::is_invocable_v<Prefix&, T>) void ExclusiveScan(T input, T& output, Operation operation,
                                                               Prefix& prefix) {
    T total = input;
    const T before = self().exclusive_scan(input, operation, &total);
    const T initial = self().prefix_of(prefix, total);
    output = self().rank() == 0 ? initial : operation(initial, before);
  }
  template <class Operation>
  void ExclusiveScan(T input, T& output, T initial, Operation operation) {
    output = with_initial(self().exclusive_scan(input, operation, nullptr), initial, operation);
  }
  template <class Operation>
  void ExclusiveScan(T input, T& output, T initial, Operation operation, T& total) {
    output = with_initial(self().exclusive_scan(input, operation, &total), initial, operation);
  }

  // Several items of each thread.
  template <int Items, class Operation>
  void ExclusiveScan(T (&input)[Items], T (&output)[Items], T initial, Operation operation) {
    T before = input[0];
    ExclusiveScan(of_thread(input, operation), before, initial, operation);
    scan_items(input, output, before, operation);
  }
  template <int Items, class Operation>
  void ExclusiveScan(T (&input)[Items], T (&output)[Items], T initial, Operation operation, T& total) {
    T before = input[0];
    ExclusiveScan(of_thread(input, operation), before, initial, operation, total);
    scan_items(input, output, before, operation);
  }
  template <int Items, class Operation, class Prefix>
  requires(std::is_invocable_v<Prefix&, T>) void ExclusiveScan(T (&input)[Items], T (&output)[Items],
                                                               Operation operation, Prefix& prefix) {
    T before = input[0];
    ExclusiveScan(of_thread(input, operation), before, operation, prefix);
    scan_items(input, output, before, operation);
  }
  template <int Items, class Operation>
  void InclusiveScan(T (&input)[Items], T (&output)[Items], Operation operation) {
    const T before = self().exclusive_scan(of_thread(input, operation), operation, nullptr);
    include_items(input, output, before, operation);
  }
  template <int Items, class Operation>
  void InclusiveScan(T (&input)[Items], T (&output)[Items], Operation operation, T& total) {
    const T before = self().exclusive_scan(of_thread(input, operation), operation, &total);
    include_items(input, output, before, operation);
  }
  template <int Items, class Operation, class Prefix>
  requires(std::is_invocable_v<Prefix&, T>) void InclusiveScan(T (&input)[Items], T (&output)[Items],
                                                               Operation operation, Prefix& prefix) {
    T sum = input[0];
    ExclusiveScan(of_thread(input, operation), sum, operation, prefix);
    for (int i = 0; i < Items; ++i) output[i] = sum = operation(sum, input[i]);
  }

  template <class Input, class Output, class... Total>
  void InclusiveSum(Input&& input, Output&& output, Total&... total) {
    InclusiveScan(input, output, Sum(), total...);
  }
  template <class Prefix>
  requires(std::is_invocable_v<Prefix&, T>) void ExclusiveSum(T input, T& output, Prefix& prefix) {
    ExclusiveScan(input, output, Sum(), prefix);
  }
  template <int Items, class Prefix>
  requires(std::is_invocable_v<Prefix&, T>) void ExclusiveSum(T (&input)[Items], T (&output)[Items], Prefix& prefix) {
    ExclusiveScan(input, output, Sum(), prefix);
  }
  void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(), Sum()); }
  void ExclusiveSum(T input, T& output, T& total) { ExclusiveScan(input, output, T(), Sum(), total); }
  template <int Items>
  void ExclusiveSum(T (&input)[Items], T (&output)[Items]) {
    ExclusiveScan(input, output, T(), Sum());
  }
  template <int Items>
  void ExclusiveSum(T (&input)[Items], T (&output)[Items], T& total) {
    ExclusiveScan(input, output, T(), Sum(), total);
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
  template <class Operation>
  T with_prefix(const T& before, const T& value, Operation operation) {
    return self().rank() == 0 ? value : operation(before, value);
  }
  template <class Operation>
  T with_initial(const T& before, const T& initial, Operation operation) {
    return self().rank() == 0 ? initial : operation(initial, before);
  }
  template <int Items, class Operation>
  static T of_thread(T (&input)[Items], Operation operation) {
    T own = input[0];
    for (int i = 1; i < Items; ++i) own = operation(own, input[i]);
    return own;
  }
  template <int Items, class Operation>
  static void scan_items(T (&input)[Items], T (&output)[Items], T before, Operation operation) {
    for (int i = 0; i < Items; ++i) {
      const T value = input[i];
      output[i] = before;
      before = operation(before, value);
    }
  }
  template <int Items, class Operation>
  void include_items(T (&input)[Items], T (&output)[Items], const T& before, Operation operation) {
    T sum = with_prefix(before, input[0], operation);
    output[0] = sum;
    for (int i = 1; i < Items; ++i) output[i] = sum = operation(sum, input[i]);
  }
};

/// The part of a warp that has `Size` lanes.
template <int Size>
Lanes lanes_of_warp() {
  return {d2l::emulator::lane() / Size * Size, Size};
}

}  // namespace detail

template <class T, int Size = 32, int = 0>
class WarpReduce : public detail::Reduction<WarpReduce<T, Size>, T> {
 public:
  static constexpr int Threads = Size;
  struct TempStorage {};
  explicit WarpReduce(TempStorage&) {}

 private:
  friend detail::Reduction<WarpReduce<T, Size>, T>;
  template <class Operation>
  static T reduce(const T& value, Operation operation, int valid) {
    return detail::lanes_of_warp<Size>().reduce(value, operation, valid);
  }
};

template <class T, int Size = 32, int = 0>
class WarpScan : public detail::Scan<WarpScan<T, Size>, T> {
 public:
  struct TempStorage {};
  explicit WarpScan(TempStorage&) {}
  T Broadcast(T value, unsigned source) {
    return detail::lanes_of_warp<Size>().value_of(static_cast<int>(source), value);
  }

 private:
  friend detail::Scan<WarpScan<T, Size>, T>;
  static int rank() { return detail::lanes_of_warp<Size>().rank(); }
  template <class Operation>
  static T exclusive_scan(const T& value, Operation operation, T* total) {
    const detail::Lanes lanes = detail::lanes_of_warp<Size>();
    const T inclusive = lanes.inclusive_scan(value, operation);
    if (total != nullptr) *total = lanes.value_of(Size - 1, inclusive);
    return lanes.value_of(rank() - 1, inclusive);
  }
};

}  // namespace cub
// NOLINTEND
