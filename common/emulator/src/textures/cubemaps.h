// SPDX-License-Identifier: MIT
// The faces of cubemaps.
#pragma once

#include <cstdint>

namespace d2l::emulator {

/// A place in a face of a cubemap, with coordinates from 0 to 1.
struct FacePlace {
  int face;
  float s;
  float t;
  float major;  ///< the absolute value of the coordinate that chose the face
};
/// Where a direction from the centre meets the cube.
FacePlace place_of_direction(float x, float y, float z);

/// An element of a face.
struct FaceElement {
  std::int64_t face;
  std::int64_t x;
  std::int64_t y;
};
/// The element that lies where (x, y) of a face would be, beyond one of its edges.
FaceElement beyond_edge(const FaceElement& element, std::int64_t length);

}  // namespace d2l::emulator
