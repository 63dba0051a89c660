// SPDX-License-Identifier: MIT
#include "textures/sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "matrices/access.h"
#include "textures/addressing.h"
#include "textures/cubemaps.h"

namespace d2l::emulator {
namespace {

float linear_of_srgb(float value) {
  return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

Elements single(std::int64_t place) { return {{place, 0}, {1, 0}}; }

bool is_cubemap(ResourceShape shape) {
  return shape == ResourceShape::cubemap || shape == ResourceShape::cubemap_layered;
}
bool is_layered(ResourceShape shape) {
  return shape == ResourceShape::one_layered || shape == ResourceShape::two_layered;
}
bool has_rows(ResourceShape shape) { return shape != ResourceShape::one && shape != ResourceShape::one_layered; }

/// The first face of the layer of a cubemap.
std::int64_t first_face(const TextureFetch& fetch, const Plane& plane) {
  return 6 * std::clamp<std::int64_t>(fetch.layer, 0, plane.depth / 6 - 1);
}

void add(Colour& sum, float weight, const Colour& colour) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * colour[i];
}

}  // namespace

struct Sampler::Footprint {
  Elements x, y, z;
};

Sampler::Footprint Sampler::footprint(const Plane& plane, bool filtered) const {
  const bool cubemap = is_cubemap(texture_.shape);
  const auto elements = [&](float coordinate, std::int64_t length, int dimension) {
    const Addressing addressing{texture_.description.addressMode[dimension],
                                cubemap || texture_.description.normalizedCoords != 0};
    return filtered ? filtered_elements(coordinate, length, addressing)
                    : nearest_element(coordinate, length, addressing);
  };
  if (cubemap) {
    const FacePlace place = place_of_direction(fetch_.x, fetch_.y, fetch_.z);
    return {elements(place.s, plane.width, 0), elements(place.t, plane.height, 1),
            single(first_face(fetch_, plane) + place.face)};
  }
  const Elements x = elements(fetch_.x, plane.width, 0);
  const Elements y =
      has_rows(texture_.shape) && fetch_.shape != TextureShape::one ? elements(fetch_.y, plane.height, 1) : single(0);
  if (is_layered(texture_.shape)) return {x, y, single(std::clamp<std::int64_t>(fetch_.layer, 0, plane.depth - 1))};
  return {x, y, texture_.shape == ResourceShape::three ? elements(fetch_.z, plane.depth, 2) : single(0)};
}

const std::byte* Sampler::texel(const Plane& plane, const Place& place) const {
  if (place.x == Elements::border || place.y == Elements::border || place.z == Elements::border) return nullptr;
  const std::size_t bytes = texture_.format.bytes();
  const std::byte* const memory = plane.at(place.x, place.y, place.z, bytes);
  check_access(memory, bytes, AccessKind::read, fetch_.caller);
  return memory;
}

Colour Sampler::colour_at(const Plane& plane, const Place& place) const {
  const std::byte* const memory = texel(plane, place);
  Colour colour{};
  for (int i = 0; i < 4; ++i) {
    float& value = colour[static_cast<std::size_t>(i)];
    if (memory == nullptr) {
      value = texture_.description.borderColor[i];
    } else if (i < texture_.format.channels) {
      value = channel_number(texture_.format, memory, i);
      if (texture_.description.sRGB != 0 && i < 3) value = linear_of_srgb(value);
    }
  }
  return colour;
}

TexelRegisters Sampler::integers_at(const Plane& plane, const Place& place) const {
  const std::byte* const memory = texel(plane, place);
  TexelRegisters registers{};
  for (int i = 0; i < 4; ++i)
    registers[static_cast<std::size_t>(i)] = memory == nullptr
                                                 ? std::bit_cast<std::uint32_t>(texture_.description.borderColor[i])
                                                 : channel_bits(texture_.format, memory, i);
  return registers;
}

Colour Sampler::filtered_colour(const Plane& plane) const {
  const auto [x, y, z] = footprint(plane, true);
  Colour sum{};
  for (int k = 0; k < 2; ++k) {
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 2; ++i) {
        const float weight = x.weights[i] * y.weights[j] * z.weights[k];
        if (weight != 0) add(sum, weight, colour_at(plane, {x.places[i], y.places[j], z.places[k]}));
      }
    }
  }
  return sum;
}

/// Beyond an edge of a face the elements of the next face are used. At a corner there are three elements only: each
/// takes a third of the weight of the one that is missing.
Colour Sampler::seamless_colour(const Plane& plane) const {
  const FacePlace place = place_of_direction(fetch_.x, fetch_.y, fetch_.z);
  const std::int64_t faces = first_face(fetch_, plane);
  const std::int64_t length = plane.width;
  const auto unbounded = [length](float coordinate) {  // one element around the face, numbered from 0
    Elements elements = filtered_elements(coordinate * static_cast<float>(length) + 1, length + 2, {});
    for (std::int64_t& each : elements.places) --each;
    return elements;
  };
  const Elements x = unbounded(place.s);
  const Elements y = unbounded(place.t);
  Colour sum{};
  float missing = 0;
  Colour of_corner{};
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 2; ++i) {
      const bool outside_x = x.places[i] < 0 || x.places[i] >= length;
      const bool outside_y = y.places[j] < 0 || y.places[j] >= length;
      const float weight = x.weights[i] * y.weights[j];
      if (outside_x && outside_y) missing = weight;
      if ((outside_x && outside_y) || (weight == 0 && missing == 0)) continue;
      FaceElement element{place.face, x.places[i], y.places[j]};
      if (outside_x || outside_y) element = beyond_edge(element, length);
      const Colour colour = colour_at(plane, {element.x, element.y, faces + element.face});
      add(sum, weight, colour);
      add(of_corner, 1, colour);
    }
  }
  if (missing != 0) add(sum, missing / 3, of_corner);
  return sum;
}

Colour Sampler::colour(const Plane& plane) const {
  if (texture_.filters()) {
    const bool seamless = is_cubemap(texture_.shape) && texture_.description.seamlessCubemap != 0;
    return seamless ? seamless_colour(plane) : filtered_colour(plane);
  }
  const auto [x, y, z] = footprint(plane, false);
  return colour_at(plane, {x.places[0], y.places[0], z.places[0]});
}

TexelRegisters Sampler::integers(const Plane& plane) const {
  const auto [x, y, z] = footprint(plane, false);
  return integers_at(plane, {x.places[0], y.places[0], z.places[0]});
}

TexelRegisters Sampler::gathered(const Plane& plane) const {
  const auto [x, y, z] = footprint(plane, true);
  constexpr int columns[] = {0, 1, 1, 0};  // the lower row first, then against the sense of clockwise
  constexpr int rows[] = {1, 1, 0, 0};
  const auto channel = static_cast<std::size_t>(fetch_.gathered);
  TexelRegisters registers{};
  for (std::size_t i = 0; i < registers.size(); ++i) {
    const Place place{x.places[columns[i]], y.places[rows[i]], z.places[0]};
    registers[i] = texture_.returns_floats() ? std::bit_cast<std::uint32_t>(colour_at(plane, place)[channel])
                                             : integers_at(plane, place)[channel];
  }
  return registers;
}

}  // namespace d2l::emulator
