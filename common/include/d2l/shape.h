// SPDX-License-Identifier: MIT
/// @file
/// IntArrayRef: a borrowed list of sizes, strides or dimension numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <vector>

namespace d2l {

/// The most dimensions that a tensor can have.
inline constexpr int max_dimensions = 8;

/// A view of integers that someone else holds, as LibTorch's; do not keep one longer than its owner.
class IntArrayRef {
 public:
  /// Of no integers.
  IntArrayRef() = default;
  /// Of `size` integers from `data` on.
  IntArrayRef(const std::int64_t* data, std::size_t size) : data_(data), size_(size) {}
  /// Of the integers of a vector.
  IntArrayRef(const std::vector<std::int64_t>& list)
      : data_(list.data()), size_(list.size()) {}  // NOLINT(google-explicit-constructor)
  /// Of one integer.
  IntArrayRef(const std::int64_t& one) : data_(&one), size_(1) {}  // NOLINT(google-explicit-constructor)
  /// Of a list in braces, which outlives the call that it is an argument of; that is as long as this view may live.
  IntArrayRef(const std::initializer_list<std::int64_t>& list)  // NOLINT(google-explicit-constructor)
      : data_(std::data(list)), size_(list.size()) {}

  ///@{
  /// Where the integers begin, and where they end.
  [[nodiscard]] const std::int64_t* begin() const noexcept { return data_; }
  [[nodiscard]] const std::int64_t* end() const noexcept { return data_ + size_; }
  ///@}
  /// Where the integers begin.
  [[nodiscard]] const std::int64_t* data() const noexcept { return data_; }
  /// How many integers there are.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Whether there is none.
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  ///@{
  /// One of the integers; that it is there is not checked.
  [[nodiscard]] std::int64_t operator[](std::size_t index) const { return data_[index]; }
  [[nodiscard]] std::int64_t front() const { return data_[0]; }
  [[nodiscard]] std::int64_t back() const { return data_[size_ - 1]; }
  ///@}
  /// A copy, to keep.
  [[nodiscard]] std::vector<std::int64_t> vec() const { return {begin(), end()}; }

  /// Whether both have the same integers.
  friend bool operator==(IntArrayRef a, IntArrayRef b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  const std::int64_t* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Writes "[2, 3]".
std::ostream& operator<<(std::ostream& out, IntArrayRef list);

}  // namespace d2l
