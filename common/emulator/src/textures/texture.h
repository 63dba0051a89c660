// SPDX-License-Identifier: MIT
// Texture and Surface: what texture objects and surface objects refer to, as fetches need it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "d2l_emulator/runtime_types.h"
#include "textures/format.h"

namespace d2l::emulator {

/// Elements in memory: rows, and planes, layers or faces of rows.
struct Plane {
  std::byte* memory = nullptr;
  std::int64_t width = 0;
  std::int64_t height = 1;
  std::int64_t depth = 1;
  std::int64_t pitch = 0;  ///< bytes from row to row

  [[nodiscard]] std::byte* at(std::int64_t x, std::int64_t y, std::int64_t z, std::size_t element) const {
    return memory + (z * height + y) * pitch + x * static_cast<std::int64_t>(element);
  }
};

/// The dimensions of a resource; a `linear` one is memory that an index addresses.
enum class ResourceShape { linear, one, two, three, one_layered, two_layered, cubemap, cubemap_layered };
/// "a 2D array".
const char* text_of(ResourceShape shape);

struct Texture {
  static constexpr std::size_t max_levels = 32;

  cudaResourceDesc resource{};
  cudaTextureDesc description{};
  cudaResourceViewDesc view{};
  TexelFormat format;
  ResourceShape shape = ResourceShape::linear;
  bool gathers = true;  ///< false: an array without cudaArrayTextureGather
  unsigned level_count = 1;
  std::array<Plane, max_levels> levels{};

  /// True if a fetch returns floats.
  [[nodiscard]] bool returns_floats() const {
    return format.is_float() || description.readMode == cudaReadModeNormalizedFloat;
  }
  [[nodiscard]] bool filters() const {
    return description.filterMode == cudaFilterModeLinear && shape != ResourceShape::linear;
  }
};

struct Surface {
  cudaResourceDesc resource{};
  TexelFormat format;
  ResourceShape shape = ResourceShape::one;
  Plane elements;
};

/// The objects of handles in kernels; null if there is none.
const Texture* texture_of(cudaTextureObject_t handle) noexcept;
const Surface* surface_of(cudaSurfaceObject_t handle) noexcept;

}  // namespace d2l::emulator
