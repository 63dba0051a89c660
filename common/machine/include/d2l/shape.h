// SPDX-License-Identifier: MIT
/// @file
/// IntArrayRef: a view of a list of sizes, strides or dimension numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <vector>

namespace d2l {

/// The maximum number of dimensions of a tensor.
inline constexpr int max_dimensions = 8;

/// A view of integers, as in LibTorch. It does not own them: it must not outlive the list.
class IntArrayRef {
 public:
  /// An empty list.
  IntArrayRef() = default;
  /// `size` integers, starting at `data`.
  IntArrayRef(const std::int64_t* data, std::size_t size) : data_(data), size_(size) {}
  /// The integers of a vector.
  IntArrayRef(const std::vector<std::int64_t>& list)
      : data_(list.data()), size_(list.size()) {}  // NOLINT(google-explicit-constructor)
  /// One integer.
  IntArrayRef(const std::int64_t& one) : data_(&one), size_(1) {}  // NOLINT(google-explicit-constructor)
  /// A list in braces. It lives until the call ends for which it is an argument, so the view must not live longer.
  IntArrayRef(const std::initializer_list<std::int64_t>& list)  // NOLINT(google-explicit-constructor)
      : data_(std::data(list)), size_(list.size()) {}

  ///@{
  /// Iterators to the integers.
  [[nodiscard]] const std::int64_t* begin() const noexcept { return data_; }
  [[nodiscard]] const std::int64_t* end() const noexcept { return data_ + size_; }
  ///@}
  /// The address of the first integer.
  [[nodiscard]] const std::int64_t* data() const noexcept { return data_; }
  /// The number of integers.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// True if the list is empty.
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  ///@{
  /// One of the integers; the index is not checked.
  [[nodiscard]] std::int64_t operator[](std::size_t index) const { return data_[index]; }
  [[nodiscard]] std::int64_t front() const { return data_[0]; }
  [[nodiscard]] std::int64_t back() const { return data_[size_ - 1]; }
  ///@}
  /// A copy of the integers.
  [[nodiscard]] std::vector<std::int64_t> vec() const { return {begin(), end()}; }

  /// True if both have the same integers.
  friend bool operator==(IntArrayRef a, IntArrayRef b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  const std::int64_t* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Writes "[2, 3]".
std::ostream& operator<<(std::ostream& out, IntArrayRef list);

}  // namespace d2l
