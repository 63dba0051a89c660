// SPDX-License-Identifier: MIT
// Sampler: fetches from one level of a texture.
#pragma once

#include "d2l_emulator/textures/fetches.h"
#include "textures/texture.h"

namespace d2l::emulator {

using Colour = std::array<float, 4>;

class Sampler {
 public:
  Sampler(const Texture& texture, const TextureFetch& fetch) : texture_(texture), fetch_(fetch) {}

  /// A texture that returns floats.
  [[nodiscard]] Colour colour(const Plane& plane) const;
  /// A texture that returns integers.
  [[nodiscard]] TexelRegisters integers(const Plane& plane) const;
  /// One channel of four elements.
  [[nodiscard]] TexelRegisters gathered(const Plane& plane) const;

 private:
  struct Place {
    std::int64_t x, y, z;
  };
  /// The elements in each dimension.
  struct Footprint;

  [[nodiscard]] Footprint footprint(const Plane& plane, bool filtered) const;
  [[nodiscard]] Colour filtered_colour(const Plane& plane) const;
  [[nodiscard]] Colour seamless_colour(const Plane& plane) const;
  /// The element in memory, null for the border; checked.
  [[nodiscard]] const std::byte* texel(const Plane& plane, const Place& place) const;
  [[nodiscard]] Colour colour_at(const Plane& plane, const Place& place) const;
  [[nodiscard]] TexelRegisters integers_at(const Plane& plane, const Place& place) const;

  const Texture& texture_;
  const TextureFetch& fetch_;
};

}  // namespace d2l::emulator
