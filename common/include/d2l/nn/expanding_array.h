// SPDX-License-Identifier: MIT
/// @file
/// ExpandingArray: one number for each dimension of a window, from one number for all of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "d2l/shape.h"

namespace d2l {

namespace detail {
/// ValueError: `given` numbers in place of `expected`.
[[noreturn]] void fail_expanding(std::size_t expected, std::size_t given);
}  // namespace detail

/// `Count` integers, as in LibTorch: `ExpandingArray<2>(3)` are 3 and 3.
template <std::size_t Count>
class ExpandingArray {
 public:
  /// The same number everywhere.
  ExpandingArray(std::int64_t number) { values_.fill(number); }  // NOLINT(google-explicit-constructor)
  ///@{
  /// These numbers; ValueError unless there are `Count`.
  ExpandingArray(std::initializer_list<std::int64_t> list)  // NOLINT(google-explicit-constructor)
      : ExpandingArray(list.begin(), list.size()) {}
  ExpandingArray(const std::vector<std::int64_t>& list)  // NOLINT(google-explicit-constructor)
      : ExpandingArray(list.data(), list.size()) {}
  ExpandingArray(IntArrayRef list)  // NOLINT(google-explicit-constructor)
      : ExpandingArray(list.data(), list.size()) {}
  ExpandingArray(const std::array<std::int64_t, Count>& list) : values_(list) {}  // NOLINT(google-explicit-constructor)
  ///@}

  ///@{
  /// The numbers.
  [[nodiscard]] std::array<std::int64_t, Count>& operator*() noexcept { return values_; }
  [[nodiscard]] const std::array<std::int64_t, Count>& operator*() const noexcept { return values_; }
  [[nodiscard]] std::array<std::int64_t, Count>* operator->() noexcept { return &values_; }
  [[nodiscard]] const std::array<std::int64_t, Count>* operator->() const noexcept { return &values_; }
  operator IntArrayRef() const noexcept {
    return {values_.data(), Count};
  }  // NOLINT(google-explicit-constructor)
     ///@}

 private:
  ExpandingArray(const std::int64_t* data, std::size_t count) {
    if (count != Count) detail::fail_expanding(Count, count);
    for (std::size_t i = 0; i < Count; ++i) values_[i] = data[i];
  }

  std::array<std::int64_t, Count> values_;
};

}  // namespace d2l
