// SPDX-License-Identifier: MIT
// Dimensions: a short list of sizes or strides, stored in place.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "d2l/shape.h"

namespace d2l::detail {

struct Dimensions {
  std::array<std::int64_t, max_dimensions> values{};
  int count = 0;

  [[nodiscard]] IntArrayRef ref() const { return {values.data(), static_cast<std::size_t>(count)}; }
  [[nodiscard]] std::int64_t operator[](int i) const { return values[static_cast<std::size_t>(i)]; }
  [[nodiscard]] std::int64_t& operator[](int i) { return values[static_cast<std::size_t>(i)]; }
};

inline bool same(const Dimensions& a, const Dimensions& b) noexcept { return a.ref() == b.ref(); }

}  // namespace d2l::detail
