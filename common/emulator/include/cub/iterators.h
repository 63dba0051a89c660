// SPDX-License-Identifier: MIT
// CUB's iterators, for kernels and for algorithms of a device.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>

#include "block_collectives.h"

// NOLINTBEGIN: the names are CUB's.
namespace cub {
namespace detail {

/// A place, and the value that Derived::at(place) has there.
template <class Derived, class T, class Offset>
class PlaceIterator {
 public:
  using self_type = Derived;
  using difference_type = Offset;
  using value_type = T;
  using pointer = T*;
  using reference = T;
  using iterator_category = std::random_access_iterator_tag;

  reference operator*() const { return derived().at(place_); }
  template <class Distance>
  reference operator[](Distance distance) const {
    return derived().at(place_ + static_cast<Offset>(distance));
  }
  Derived& operator++() { return *this += 1; }
  Derived operator++(int) { return moved_after(1); }
  Derived& operator--() { return *this += -1; }
  Derived operator--(int) { return moved_after(-1); }
  template <class Distance>
  Derived& operator+=(Distance distance) {
    place_ = static_cast<Offset>(place_ + static_cast<Offset>(distance));
    return static_cast<Derived&>(*this);
  }
  template <class Distance>
  Derived& operator-=(Distance distance) {
    place_ = static_cast<Offset>(place_ - static_cast<Offset>(distance));
    return static_cast<Derived&>(*this);
  }
  template <class Distance>
  requires(std::is_integral_v<Distance>) Derived operator+(Distance distance) const {
    Derived result = derived();
    return result += distance;
  }
  template <class Distance>
  requires(std::is_integral_v<Distance>) Derived operator-(Distance distance) const {
    Derived result = derived();
    return result -= distance;
  }
  difference_type operator-(const Derived& other) const { return static_cast<Offset>(place_ - other.place_); }
  bool operator==(const Derived& other) const { return place_ == other.place_; }
  bool operator<(const Derived& other) const { return place_ < other.place_; }

 private:
  const Derived& derived() const { return static_cast<const Derived&>(*this); }
  template <class Distance>
  Derived moved_after(Distance distance) {
    const Derived before = derived();
    *this += distance;
    return before;
  }
  Offset place_ = 0;
};

}  // namespace detail

template <class T, class Offset = std::ptrdiff_t>
class ConstantInputIterator : public detail::PlaceIterator<ConstantInputIterator<T, Offset>, T, Offset> {
 public:
  explicit ConstantInputIterator(T value) : value_(value) {}
  T at(Offset) const { return value_; }

 private:
  T value_;
};

template <class T, class Offset = std::ptrdiff_t>
class CountingInputIterator : public detail::PlaceIterator<CountingInputIterator<T, Offset>, T, Offset> {
 public:
  explicit CountingInputIterator(T first) : first_(first) {}
  T at(Offset place) const { return static_cast<T>(first_ + static_cast<T>(place)); }

 private:
  T first_;
};

template <class T, class Operation, class Input, class Offset = std::ptrdiff_t>
class TransformInputIterator
    : public detail::PlaceIterator<TransformInputIterator<T, Operation, Input, Offset>, T, Offset> {
 public:
  TransformInputIterator(Input input, Operation operation) : input_(input), operation_(operation) {}
  T at(Offset place) const { return operation_(input_[place]); }

 private:
  Input input_;
  Operation operation_;
};

/// Pairs of a place and the value there.
template <class Input, class Offset = std::ptrdiff_t, class T = typename std::iterator_traits<Input>::value_type>
class ArgIndexInputIterator
    : public detail::PlaceIterator<ArgIndexInputIterator<Input, Offset, T>, KeyValuePair<Offset, T>, Offset> {
 public:
  explicit ArgIndexInputIterator(Input input) : input_(input) {}
  KeyValuePair<Offset, T> at(Offset place) const { return {place, input_[place]}; }

 private:
  Input input_;
};

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };

/// Caches are not modelled, so these are pointers.
template <CacheLoadModifier, class T, class = std::ptrdiff_t>
using CacheModifiedInputIterator = const T*;
template <CacheStoreModifier, class T, class = std::ptrdiff_t>
using CacheModifiedOutputIterator = T*;
template <CacheLoadModifier = LOAD_DEFAULT, class Input>
typename std::iterator_traits<Input>::value_type ThreadLoad(Input from) {
  return *from;
}
template <CacheStoreModifier = STORE_DEFAULT, class Output, class T>
void ThreadStore(Output to, T value) {
  *to = value;
}

/// Takes any value at any place, and keeps none.
template <class Offset = std::ptrdiff_t>
class DiscardOutputIterator {
  struct Nothing {
    template <class T>
    const Nothing& operator=(const T&) const {
      return *this;
    }
  };

 public:
  using difference_type = Offset;
  using value_type = void;
  using pointer = void;
  using reference = void;
  using iterator_category = std::random_access_iterator_tag;
  Nothing operator*() const { return {}; }
  template <class Distance>
  Nothing operator[](Distance) const {
    return {};
  }
  DiscardOutputIterator& operator++() { return *this; }
  DiscardOutputIterator operator++(int) { return *this; }
  template <class Distance>
  DiscardOutputIterator operator+(Distance) const {
    return *this;
  }
};

}  // namespace cub
// NOLINTEND
