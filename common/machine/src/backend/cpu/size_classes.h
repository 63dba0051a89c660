// SPDX-License-Identifier: MIT
// Size classes: block sizes are rounded up to a few sizes, so that a freed block fits the next request.
#pragma once

#include <bit>
#include <cstddef>

namespace d2l::backend::host_memory {

inline constexpr std::size_t alignment = 64;
/// Sizes between a power of two and the next; at most an eighth of a block is unused.
inline constexpr std::size_t steps = 8;

/// The class of a request, from 0: multiples of 64 bytes up to 512 bytes, then eight sizes for each doubling.
constexpr std::size_t class_of(std::size_t bytes) {
  if (bytes <= alignment * steps) return bytes == 0 ? 0 : (bytes - 1) / alignment;
  const std::size_t last = bytes - 1;
  const auto doubling = static_cast<std::size_t>(std::bit_width(last)) - 10;  // 0 from 513 to 1024
  return steps + doubling * steps + (last >> (doubling + 6)) - steps;
}

/// The block size of a class.
constexpr std::size_t class_bytes(std::size_t size_class) {
  if (size_class < steps) return (size_class + 1) * alignment;
  const std::size_t doubling = (size_class - steps) / steps;
  return (steps + (size_class - steps) % steps + 1) << (doubling + 6);
}

static_assert(class_bytes(class_of(1)) == 64 && class_bytes(class_of(512)) == 512 && class_bytes(class_of(513)) == 576);
static_assert(class_bytes(class_of(1024)) == 1024 && class_bytes(class_of(1025)) == 1152);
static_assert(class_of(class_bytes(100)) == 100 && class_of(class_bytes(100) + 1) == 101);

/// The number of classes, up to 64 KiB, that each thread caches.
inline constexpr std::size_t small_classes = class_of(std::size_t{64} << 10) + 1;

/// More bytes than any machine has.
inline constexpr std::size_t largest_request = std::size_t{1} << 48;
inline constexpr std::size_t all_classes = class_of(largest_request) + 1;

}  // namespace d2l::backend::host_memory
