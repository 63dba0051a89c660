// SPDX-License-Identifier: MIT
#include "textures/cubemaps.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace d2l::emulator {
namespace {

struct Direction {
  float x, y, z;
};

/// The direction of a place in a face, with coordinates from -1 to 1 in the face.
Direction direction_of(std::int64_t face, float s, float t) {
  const std::array<Direction, 6> directions = {
      {{1, -t, -s}, {-1, -t, s}, {s, 1, t}, {s, -1, -t}, {s, -t, 1}, {-s, -t, -1}}};
  return directions[static_cast<std::size_t>(face)];
}

}  // namespace

FacePlace place_of_direction(float x, float y, float z) {
  const float ax = std::fabs(x);
  const float ay = std::fabs(y);
  const float az = std::fabs(z);
  const auto place = [](int face, float s, float t, float major) {
    const float divisor = major == 0 ? 1 : major;
    return FacePlace{face, (s / divisor + 1) / 2, (t / divisor + 1) / 2, major};
  };
  if (ax >= ay && ax >= az) return x >= 0 ? place(0, -z, -y, ax) : place(1, z, -y, ax);
  if (ay >= az) return y >= 0 ? place(2, x, z, ay) : place(3, x, -z, ay);
  return z >= 0 ? place(4, x, -y, az) : place(5, -x, -y, az);
}

FaceElement beyond_edge(const FaceElement& element, std::int64_t length) {
  const auto centre = [length](std::int64_t i) {
    return (2 * static_cast<float>(i) + 1) / static_cast<float>(length) - 1;
  };
  const Direction direction = direction_of(element.face, centre(element.x), centre(element.y));
  const FacePlace place = place_of_direction(direction.x, direction.y, direction.z);
  const auto number = [length](float coordinate) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(coordinate * static_cast<float>(length)), 0, length - 1);
  };
  return {place.face, number(place.s), number(place.t)};
}

}  // namespace d2l::emulator
