// SPDX-License-Identifier: MIT
// The functions of kernels that read and write surfaces. The x coordinate is in bytes, the others count elements.
#pragma once

#include <type_traits>

#include "d2l_emulator/language.h"
#include "d2l_emulator/textures/channels.h"
#include "d2l_emulator/textures/parameters.h"

namespace d2l::emulator {

enum class SurfaceShape { one, two, three, one_layered, two_layered, cubemap, cubemap_layered };
/// An access of one element of a surface.
struct SurfaceAccess {
  const char* name;    ///< what the program calls
  Place place;         ///< where
  const void* caller;  ///< the same as an address in the code
  cudaSurfaceObject_t object;
  SurfaceShape shape;
  cudaSurfaceBoundaryMode mode;
  unsigned bytes;
  int x = 0, y = 0, z = 0;  ///< z: the layer, or the face of a cubemap, too

  SurfaceAccess at(int x_value, int y_value = 0, int z_value = 0) const {
    SurfaceAccess made = *this;
    made.x = x_value, made.y = y_value, made.z = z_value;
    return made;
  }
};

/// Reads or writes `bytes` bytes. They may end the thread.
void read_surface(const SurfaceAccess& access, void* value);
void write_surface(const SurfaceAccess& access, const void* value);

template <class T>
constexpr bool is_surface_type = std::is_trivially_copyable_v<T> &&
                                 (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 ||
                                  sizeof(T) == 16);
template <class T>
T surface_value(const SurfaceAccess& access) {
  static_assert(is_surface_type<T>, "a surface is read in elements of 1, 2, 4, 8 or 16 bytes");
  T value;
  read_surface(access, &value);
  return value;
}
template <class T>
void set_surface_value(const SurfaceAccess& access, const T& value) {
  static_assert(is_surface_type<T>, "a surface is written in elements of 1, 2, 4, 8 or 16 bytes");
  write_surface(access, &value);
}

}  // namespace d2l::emulator

// NOLINTBEGIN: the names are CUDA's.
// Not inlined, so that they return to the program's line.
#define D2L_SURFACE_FUNCTION(NAME, SHAPE, RESULT, PARAMETERS, BODY)                   \
  template <class T>                                                                  \
  __attribute__((noinline)) RESULT NAME PARAMETERS {                                  \
    const d2l::emulator::SurfaceAccess d2l_access{#NAME,                              \
                                                  d2l_place,                          \
                                                  __builtin_return_address(0),        \
                                                  object,                             \
                                                  d2l::emulator::SurfaceShape::SHAPE, \
                                                  mode,                               \
                                                  static_cast<unsigned>(sizeof(T))};  \
    BODY;                                                                             \
  }
#define D2L_SURFACE_REST cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, D2L_HERE
// D2L_SURFACE(NAME, SHAPE, (PARAMETERS), AT): its reads, with the value as the result or through a pointer, and writes.
#define D2L_SURFACE(NAME, SHAPE, PARAMETERS, AT)                                                              \
  D2L_SURFACE_FUNCTION(NAME##read, SHAPE, T,                                                                  \
                       (cudaSurfaceObject_t object, D2L_PARAMETERS PARAMETERS, D2L_SURFACE_REST),             \
                       return d2l::emulator::surface_value<T>(d2l_access AT))                                 \
  D2L_SURFACE_FUNCTION(NAME##read, SHAPE, void,                                                               \
                       (T * result, cudaSurfaceObject_t object, D2L_PARAMETERS PARAMETERS, D2L_SURFACE_REST), \
                       *result = d2l::emulator::surface_value<T>(d2l_access AT))                              \
  D2L_SURFACE_FUNCTION(NAME##write, SHAPE, void,                                                              \
                       (T value, cudaSurfaceObject_t object, D2L_PARAMETERS PARAMETERS, D2L_SURFACE_REST),    \
                       d2l::emulator::set_surface_value(d2l_access AT, value))

D2L_SURFACE(surf1D, one, (int x), .at(x))
D2L_SURFACE(surf2D, two, (int x, int y), .at(x, y))
D2L_SURFACE(surf3D, three, (int x, int y, int z), .at(x, y, z))
D2L_SURFACE(surf1DLayered, one_layered, (int x, int layer), .at(x, 0, layer))
D2L_SURFACE(surf2DLayered, two_layered, (int x, int y, int layer), .at(x, y, layer))
D2L_SURFACE(surfCubemap, cubemap, (int x, int y, int face), .at(x, y, face))
D2L_SURFACE(surfCubemapLayered, cubemap_layered, (int x, int y, int layer_and_face), .at(x, y, layer_and_face))
#undef D2L_SURFACE
#undef D2L_SURFACE_REST
#undef D2L_SURFACE_FUNCTION
// NOLINTEND
