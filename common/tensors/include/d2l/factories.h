// SPDX-License-Identifier: MIT
/// @file
/// Factories: new tensors from literals, constants, ranges and random numbers.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

#include "d2l/tensor.h"

namespace d2l {

/// The argument of tensor(): a number, or nested lists of numbers. Ragged lists are a ShapeError of tensor().
class TensorData {
 public:
  /// One number.
  template <class T>
  requires std::is_arithmetic_v<T> TensorData(T value)
      : TensorData(Scalar(value)) {}  // NOLINT(google-explicit-constructor)
  ///@{
  /// One number of 16 bits.
  TensorData(Half value) : TensorData(Scalar(value)) {}      // NOLINT(google-explicit-constructor)
  TensorData(BFloat16 value) : TensorData(Scalar(value)) {}  // NOLINT(google-explicit-constructor)
  ///@}
  /// One number, of any category.
  TensorData(Scalar value);  // NOLINT(google-explicit-constructor)
  /// A list of numbers, or of lists of equal length.
  TensorData(std::initializer_list<TensorData> list);  // NOLINT(google-explicit-constructor)
  /// A list of numbers, of shape (count).
  template <class T>
  requires std::is_arithmetic_v<T> TensorData(const std::vector<T>& list)
      : type_(Scalar(T{}).type()), sizes_{static_cast<std::int64_t>(list.size())} {  // NOLINT
    values_.reserve(list.size());
    for (const T value : list) values_.emplace_back(value);
  }

  /// kBool, kLong or kDouble: the highest category of its numbers; kDouble for nested lists without numbers.
  [[nodiscard]] ScalarType type() const noexcept { return type_; }
  /// The length of the lists of each level; empty for one number.
  [[nodiscard]] const std::vector<std::int64_t>& sizes() const noexcept { return sizes_; }
  /// The numbers in row-major order.
  [[nodiscard]] const std::vector<Scalar>& values() const noexcept { return values_; }
  /// PyTorch's error sentence for ragged lists; empty if the lists are not ragged.
  [[nodiscard]] std::string problem() const;

 private:
  void note_ragged(const std::vector<std::int64_t>& expected, const std::vector<std::int64_t>& found);

  ScalarType type_ = kDouble;
  std::vector<std::int64_t> sizes_;
  std::vector<Scalar> values_;
  int ragged_dim_ = 0;    // counted from this level
  std::string expected_;  // the expected part; empty if nothing is ragged
  std::string found_;
};

///@{
/// A tensor of the given numbers: bool, int64 or float32 unless `options` sets the dtype. ShapeError for ragged lists,
/// ValueError for a number that the dtype cannot hold.
Tensor tensor(const TensorData& data, const TensorOptions& options = {});
Tensor tensor(std::initializer_list<TensorData> data, const TensorOptions& options = {});
///@}

/// Uninitialised memory; ShapeError for a negative size or one that overflows, OutOfMemoryError if it does not fit.
Tensor empty(IntArrayRef sizes, const TensorOptions& options = {});
/// All zeros; errors as empty().
Tensor zeros(IntArrayRef sizes, const TensorOptions& options = {});
/// All ones; errors as empty().
Tensor ones(IntArrayRef sizes, const TensorOptions& options = {});
/// All `value`; of the number's dtype (bool, int64 or float32) unless `options` sets one; errors as empty(), and
/// ValueError for a number that the dtype cannot hold.
Tensor full(IntArrayRef sizes, Scalar value, const TensorOptions& options = {});
///@{
/// Numbers from `start` (0) to before `end` by `step` (1); int64 when all three are integers, else float32. With an
/// integer dtype in `options`, the count is that of the bounds as given, and then `start` and `step` are truncated.
/// ValueError for a step of 0 or of the wrong sign, and for infinite bounds; ShapeError for too many numbers; TypeError
/// for bool.
Tensor arange(Scalar end, const TensorOptions& options = {});
Tensor arange(Scalar start, Scalar end, const TensorOptions& options = {});
Tensor arange(Scalar start, Scalar end, Scalar step, const TensorOptions& options = {});
///@}
/// `steps` numbers at equal distances, from `start` to `end`; float32 unless `options` sets the dtype, in which
/// integers lose their fraction. ValueError for a negative count, TypeError for bool.
Tensor linspace(Scalar start, Scalar end, std::int64_t steps, const TensorOptions& options = {});
///@{
/// (n, m), or (n, n): 1 where the row is the column, else 0; ValueError for a negative size.
Tensor eye(std::int64_t n, const TensorOptions& options = {});
Tensor eye(std::int64_t n, std::int64_t m, const TensorOptions& options = {});
///@}
///@{
/// Random integers from `low` (0) to before `high`, at most 2⁵³ different ones; int64 unless `options` sets the dtype;
/// the same on every device. ValueError unless `high` is larger than `low` and the dtype has the numbers.
Tensor randint(std::int64_t high, IntArrayRef size, const TensorOptions& options = {});
Tensor randint(std::int64_t low, std::int64_t high, IntArrayRef size, const TensorOptions& options = {});
///@}
/// The integers from 0 to before `n` in random order; int64 unless `options` sets the dtype; the same on every device.
/// ValueError for a negative count.
Tensor randperm(std::int64_t n, const TensorOptions& options = {});
///@{
/// A tensor of the elements at `data`, of the dtype and on the device of `options`, without a copy: in row-major order,
/// or with `strides` (in elements). The memory must remain until the last tensor of it is gone and its device is done;
/// then `deleter` gets the address. ShapeError or ValueError for a negative size or stride, ValueError for a null
/// address.
Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, const std::function<void(void*)>& deleter,
                 const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const std::function<void(void*)>& deleter,
                 const TensorOptions& options = {});
///@}
///@{
/// No factory: the compiler says that sizes are a list in braces.
template <std::integral... Sizes>
requires(sizeof...(Sizes) > 1) Tensor empty(Sizes... /*sizes*/) {
  static_assert(sizeof...(Sizes) < 2, "the sizes of a tensor are a list in braces: empty({2, 3})");
  return {};
}
template <std::integral... Sizes>
requires(sizeof...(Sizes) > 1) Tensor zeros(Sizes... /*sizes*/) {
  static_assert(sizeof...(Sizes) < 2, "the sizes of a tensor are a list in braces: zeros({2, 3})");
  return {};
}
template <std::integral... Sizes>
requires(sizeof...(Sizes) > 1) Tensor ones(Sizes... /*sizes*/) {
  static_assert(sizeof...(Sizes) < 2, "the sizes of a tensor are a list in braces: ones({2, 3})");
  return {};
}
template <std::integral... Sizes>
requires(sizeof...(Sizes) > 1) Tensor rand(Sizes... /*sizes*/) {
  static_assert(sizeof...(Sizes) < 2, "the sizes of a tensor are a list in braces: rand({2, 3})");
  return {};
}
template <std::integral... Sizes>
requires(sizeof...(Sizes) > 1) Tensor randn(Sizes... /*sizes*/) {
  static_assert(sizeof...(Sizes) < 2, "the sizes of a tensor are a list in braces: randn({2, 3})");
  return {};
}
///@}

/// Uniform in [0, 1); the same numbers on every device (Philox4x32-10 of Salmon et al., SC 2011); errors as empty(),
/// and TypeError unless floating point.
Tensor rand(IntArrayRef sizes, const TensorOptions& options = {});
/// Standard normal; the same numbers within rounding on every device; errors as rand().
Tensor randn(IntArrayRef sizes, const TensorOptions& options = {});
///@{
/// Normal, with a mean and a standard deviation for all elements, or for each, which broadcast; the same numbers within
/// rounding on every device. ValueError for a negative deviation, errors as randn(), ShapeError unless they broadcast.
Tensor normal(double mean, double std, IntArrayRef size, const TensorOptions& options = {});
Tensor normal(const Tensor& mean, double std = 1);
Tensor normal(double mean, const Tensor& std);
Tensor normal(const Tensor& mean, const Tensor& std);
///@}

///@{
/// The factory of the same name, with the shape of `like`, and its dtype and device unless `options` sets them.
Tensor empty_like(const Tensor& like, const TensorOptions& options = {});
Tensor zeros_like(const Tensor& like, const TensorOptions& options = {});
Tensor ones_like(const Tensor& like, const TensorOptions& options = {});
Tensor full_like(const Tensor& like, Scalar value, const TensorOptions& options = {});
Tensor rand_like(const Tensor& like, const TensorOptions& options = {});
Tensor randn_like(const Tensor& like, const TensorOptions& options = {});
///@}

/// Restarts the sequence of random numbers on all devices; without a call each process has a different seed.
void manual_seed(std::uint64_t seed);

}  // namespace d2l
