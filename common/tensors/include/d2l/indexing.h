// SPDX-License-Identifier: MIT
/// @file
/// Lists of indices, by LibTorch's names: `x.index({Slice(0, 2), 1})`, `x.index_put_({"...", None}, y)`.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "d2l/tensor.h"

/// The parts of a list of indices, of which each says what to take of a dimension.
namespace d2l::indexing {

/// No bound of a Slice; as an index, a new dimension of size 1.
inline constexpr std::nullopt_t None = std::nullopt;

/// All dimensions that the other indices leave over.
struct EllipsisIndexType final {
  constexpr EllipsisIndexType() = default;
};
/// All dimensions that the other indices leave over; "..." is the same.
inline constexpr EllipsisIndexType Ellipsis{};

/// A range of indices, as `start:stop:step` is in Python: bounds are clamped, and count from the end if negative.
class Slice final {
 public:
  /// From `start` (the beginning) to before `stop` (the end) by `step` (1). The index is a ValueError unless the step
  /// is positive.
  explicit Slice(std::optional<std::int64_t> start = std::nullopt, std::optional<std::int64_t> stop = std::nullopt,
                 std::optional<std::int64_t> step = std::nullopt)
      : start_(start), stop_(stop), step_(step.value_or(1)) {}
  /// The first index; by default the beginning.
  [[nodiscard]] std::optional<std::int64_t> start() const noexcept { return start_; }
  /// The index before which it ends; by default the end.
  [[nodiscard]] std::optional<std::int64_t> stop() const noexcept { return stop_; }
  /// The distance of two indices.
  [[nodiscard]] std::int64_t step() const noexcept { return step_; }

 private:
  std::optional<std::int64_t> start_;
  std::optional<std::int64_t> stop_;
  std::int64_t step_;
};

/// One part of a list of indices, of any kind.
class TensorIndex final {
 public:
  ///@{
  /// A new dimension, the dimensions that are left over (also "...", ValueError for another text), one index, a new
  /// dimension by bool, a range, or a tensor of indices.
  TensorIndex(std::nullopt_t /*none*/) {}                                 // NOLINT(google-explicit-constructor)
  TensorIndex(EllipsisIndexType /*ellipsis*/) : kind_(Kind::ellipsis) {}  // NOLINT
  TensorIndex(const char* text);                                          // NOLINT(google-explicit-constructor)
  template <std::integral T>
  TensorIndex(T index)  // NOLINT(google-explicit-constructor)
      : kind_(std::same_as<T, bool> ? Kind::boolean : Kind::integer), integer_(static_cast<std::int64_t>(index)) {}
  TensorIndex(Slice range) : kind_(Kind::slice), slice_(range) {}  // NOLINT(google-explicit-constructor)
  TensorIndex(Tensor indices)                                      // NOLINT(google-explicit-constructor)
      : kind_(Kind::tensor), tensor_(std::move(indices)) {}
  ///@}

  ///@{
  /// Whether it is of this kind.
  [[nodiscard]] bool is_none() const noexcept { return kind_ == Kind::none; }
  [[nodiscard]] bool is_ellipsis() const noexcept { return kind_ == Kind::ellipsis; }
  [[nodiscard]] bool is_integer() const noexcept { return kind_ == Kind::integer; }
  [[nodiscard]] bool is_boolean() const noexcept { return kind_ == Kind::boolean; }
  [[nodiscard]] bool is_slice() const noexcept { return kind_ == Kind::slice; }
  [[nodiscard]] bool is_tensor() const noexcept { return kind_ == Kind::tensor; }
  ///@}
  ///@{
  /// Its value, if it is of the kind; otherwise 0, false, the whole range, or an undefined tensor.
  [[nodiscard]] std::int64_t integer() const noexcept { return integer_; }
  [[nodiscard]] bool boolean() const noexcept { return integer_ != 0; }
  [[nodiscard]] const Slice& slice() const noexcept { return slice_; }
  [[nodiscard]] const Tensor& tensor() const noexcept { return tensor_; }
  ///@}

 private:
  enum class Kind : std::uint8_t { none, ellipsis, integer, boolean, slice, tensor };

  Kind kind_ = Kind::none;
  std::int64_t integer_ = 0;
  Slice slice_;
  Tensor tensor_;
};

}  // namespace d2l::indexing
