// SPDX-License-Identifier: MIT
/// @file
/// ExpandingArray: one number for every dimension of an image, or a number for each.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "d2l/shape.h"

namespace d2l {

namespace detail {
/// ValueError unless both counts are equal.
void check_expanding_array(std::size_t wanted, std::size_t given);
}  // namespace detail

/// D numbers, of which one given number makes D equal ones, as in LibTorch.
template <std::size_t D, class T = std::int64_t>
class ExpandingArray {
 public:
  /// The number for every dimension.
  ExpandingArray(std::int64_t single) : is_single_(true) {
    values_.fill(single);
  }  // NOLINT(google-explicit-constructor)
  ///@{
  /// A number for each dimension; ValueError for another count.
  ExpandingArray(std::initializer_list<T> list)  // NOLINT(google-explicit-constructor)
      : ExpandingArray(list.begin(), list.size()) {}
  ExpandingArray(const std::vector<T>& list)  // NOLINT(google-explicit-constructor)
      : ExpandingArray(list.data(), list.size()) {}
  ExpandingArray(IntArrayRef list)  // NOLINT(google-explicit-constructor)
      requires std::same_as<T, std::int64_t> : ExpandingArray(list.data(), list.size()) {}
  ///@}
  /// A number for each dimension.
  ExpandingArray(const std::array<T, D>& values) : values_(values) {}  // NOLINT(google-explicit-constructor)

  /// The numbers.
  const std::array<T, D>& operator*() const noexcept { return values_; }
  /// The array of the numbers.
  const std::array<T, D>* operator->() const noexcept { return &values_; }
  /// One of the numbers; the index is not checked.
  const T& operator[](std::size_t index) const { return values_[index]; }
  /// The number of dimensions.
  [[nodiscard]] static constexpr std::size_t size() noexcept { return D; }
  /// Whether one number was given.
  [[nodiscard]] bool is_single() const noexcept { return is_single_; }
  /// A view of the numbers, for as long as this object lives.
  operator IntArrayRef() const  // NOLINT(google-explicit-constructor)
      requires std::same_as<T, std::int64_t> {
    return {values_.data(), D};
  }

 private:
  ExpandingArray(const T* list, std::size_t count) {
    detail::check_expanding_array(D, count);
    std::copy_n(list, D, values_.begin());
  }

  std::array<T, D> values_{};
  bool is_single_ = false;
};

/// The same of numbers that may be absent.
template <std::size_t D>
using ExpandingArrayWithOptionalElem = ExpandingArray<D, std::optional<std::int64_t>>;

}  // namespace d2l
