// SPDX-License-Identifier: MIT
// Random numbers: Philox4x32-10, counter-based, so that element i of a sequence does not depend on how work is divided.
//
// A block is four 32-bit integers, from a counter and the seed. Element e = offset + i of a float sequence takes lane
// e % 4 of block e / 4; of a double sequence, lanes 2(e % 2) and 2(e % 2) + 1 of block e / 2, in a separate
// counter space. Normals are computed in pairs (Box and Muller): elements 2p and 2p + 1 use the numbers of the uniforms
// at the same indices.
#pragma once

#include <Random123/philox.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/element.h"

namespace d2l::backend::kernels {

/// Block number `counter` of the sequence of `seed`.
D2L_HOST_DEVICE inline r123::Philox4x32::ctr_type philox(std::uint64_t seed, std::uint64_t counter,
                                                         std::uint32_t space) {
  const r123::Philox4x32::ctr_type block = {
      {static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32), space, 0}};
  const r123::Philox4x32::key_type key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  return r123::Philox4x32{}(block, key);
}

/// The numbers of one block, as elements of type T.
template <class T>
struct RandomBlock;

template <>
struct RandomBlock<float> {
  static constexpr int size = 4;
  r123::Philox4x32::ctr_type bits;

  D2L_HOST_DEVICE RandomBlock(std::uint64_t seed, std::uint64_t counter) : bits(philox(seed, counter, 0)) {}
  /// Uniform in [0, 1): the upper 24 bits.
  D2L_HOST_DEVICE float uniform(int lane) const { return static_cast<float>(bits.v[lane] >> 8) * 0x1p-24F; }
  /// Uniform in (0, 1], for a logarithm.
  D2L_HOST_DEVICE float positive(int lane) const { return (static_cast<float>(bits.v[lane]) + 0.5F) * 0x1p-32F; }
};

template <>
struct RandomBlock<double> {
  static constexpr int size = 2;
  r123::Philox4x32::ctr_type bits;

  D2L_HOST_DEVICE RandomBlock(std::uint64_t seed, std::uint64_t counter) : bits(philox(seed, counter, 1)) {}
  /// The 53 upper bits of two lanes.
  D2L_HOST_DEVICE std::uint64_t integer(int lane) const {
    const std::size_t first = 2 * static_cast<std::size_t>(lane);
    const std::uint64_t low = bits.v[first];
    const std::uint64_t high = bits.v[first + 1];
    return (high << 32 | low) >> 11;
  }
  D2L_HOST_DEVICE double uniform(int lane) const { return static_cast<double>(integer(lane)) * 0x1p-53; }
  D2L_HOST_DEVICE double positive(int lane) const { return (static_cast<double>(integer(lane)) + 0.5) * 0x1p-53; }
};

struct Uniform {
  template <class T>
  D2L_HOST_DEVICE T operator()(const RandomBlock<T>& block, int lane) const {
    return block.uniform(lane);
  }
};

struct Normal {
  template <class T>
  D2L_HOST_DEVICE T operator()(const RandomBlock<T>& block, int lane) const {
    constexpr T two_pi = static_cast<T>(6.283185307179586476925);
    const int first = lane / 2 * 2;
    const T radius = std::sqrt(T{-2} * std::log(block.positive(first)));
    const T angle = two_pi * block.uniform(first + 1);
    return lane == first ? radius * std::cos(angle) : radius * std::sin(angle);
  }
};

/// Writes the elements of one block that are in the output.
template <class F, class T>
struct RandomWork {
  T* out;
  std::int64_t count;
  std::uint64_t seed;
  std::uint64_t offset;

  D2L_HOST_DEVICE void operator()(std::int64_t index) const {
    constexpr auto size = static_cast<std::uint64_t>(RandomBlock<T>::size);
    const std::uint64_t number = offset / size + static_cast<std::uint64_t>(index);
    const RandomBlock<T> block(seed, number);
    for (int lane = 0; lane < RandomBlock<T>::size; ++lane) {
      const auto i = static_cast<std::int64_t>(number * size + static_cast<std::uint64_t>(lane) - offset);
      if (i >= 0 && i < count) out[i] = F{}(block, lane);
    }
  }
};

}  // namespace d2l::backend::kernels
