// SPDX-License-Identifier: MIT
// Sums and products of sizes that stop at the largest int64.
#pragma once

#include <cstdint>
#include <limits>

namespace d2l::detail {

inline constexpr std::int64_t largest_size = std::numeric_limits<std::int64_t>::max();

/// a × b for numbers from 0 on, or the largest int64 if that is more.
constexpr std::int64_t saturated_product(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? largest_size : result;
}
/// a + b for numbers from 0 on, or the largest int64 if that is more.
constexpr std::int64_t saturated_sum(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? largest_size : result;
}

}  // namespace d2l::detail
