// SPDX-License-Identifier: MIT
// The shown elements of a tensor and their texts.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor_impl.h"

namespace d2l::detail {

/// The number of elements at each end of a shortened dimension.
inline constexpr std::int64_t edge_items = 3;

/// The shown part of a tensor: all of each dimension, or its first and last elements.
struct Shown {
  Dimensions sizes;
  std::array<bool, max_dimensions> cut{};
  std::int64_t count = 1;
};

/// The shown part of a tensor: all, unless it has more than a thousand elements.
Shown shown_part(const TensorImpl& tensor) noexcept;

/// The texts of the shown elements in row-major order, and their common width.
class Texts {
 public:
  explicit Texts(std::int64_t count) {
    ends_.reserve(static_cast<std::size_t>(count));
    text_.reserve(static_cast<std::size_t>(count) * 8);
  }
  void append(std::string_view text, bool counts_for_width) {
    text_ += text;
    ends_.push_back(text_.size());
    if (counts_for_width) width_ = std::max(width_, text.size());
  }
  [[nodiscard]] std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(text_).substr(begin, ends_[i] - begin);
  }
  [[nodiscard]] std::size_t width() const { return width_; }

 private:
  std::string text_;
  std::vector<std::size_t> ends_;
  std::size_t width_ = 1;
};

/// Reads only the shown elements; from a GPU by one implicit copy.
Texts read_texts(const Tensor& tensor, const Shown& shown);

}  // namespace d2l::detail
