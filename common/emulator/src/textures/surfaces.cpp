// SPDX-License-Identifier: MIT
// Reads and writes of surfaces, with what happens beyond their edges.
#include "d2l_emulator/textures/surfaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "matrices/access.h"
#include "textures/call.h"
#include "textures/texture.h"

namespace d2l::emulator {
namespace {

TextureCall call_of(const SurfaceAccess& access) { return {access.name, access.place, access.caller}; }

/// Shapes of resources begin with linear memory, which no surface has.
ResourceShape shape_of(SurfaceShape function) { return static_cast<ResourceShape>(static_cast<int>(function) + 1); }

bool fits(SurfaceShape function, const Surface& surface) {
  if (function == SurfaceShape::one && surface.shape == ResourceShape::two) return surface.elements.height == 1;
  return shape_of(function) == surface.shape;
}

[[noreturn]] void refuse_object(const SurfaceAccess& access) {
  refuse_call(call_of(access), FaultKind::illegal_address, "no surface",
              fmt::format("{}: {:#x} is not a surface object, or the object is destroyed", access.name, access.object));
}
[[noreturn]] void refuse_shape(const SurfaceAccess& access, const Surface& surface) {
  refuse_call(call_of(access), FaultKind::check, "wrong surface",
              fmt::format("{} accesses {}, and this surface is {}", access.name, text_of(shape_of(access.shape)),
                          text_of(surface.shape)));
}
[[noreturn]] void refuse_alignment(const SurfaceAccess& access) {
  refuse_call(
      call_of(access), FaultKind::misaligned_address, "misaligned",
      fmt::format("{} of {} bytes at x = {}: x counts bytes and must be a multiple of {}. Multiply the column by "
                  "the size of an element",
                  access.name, access.bytes, access.x, access.bytes));
}

std::string place_in(const SurfaceAccess& access, const Surface& surface) {
  std::string text = fmt::format("x = {}", access.x);
  if (surface.elements.height > 1) text += fmt::format(", y = {}", access.y);
  const char* const third = surface.shape == ResourceShape::three     ? "z"
                            : surface.shape == ResourceShape::cubemap ? "face"
                                                                      : "layer";
  if (surface.elements.depth > 1) text += fmt::format(", {} = {}", third, access.z);
  return text;
}
std::string size_of(const Surface& surface) {
  const Plane& all = surface.elements;
  std::string text = fmt::format("rows of {} {}, {} bytes", all.width, surface.format.text(), all.pitch);
  if (all.height > 1) text += fmt::format(", {} rows", all.height);
  if (all.depth > 1)
    text += fmt::format(", {} {}", all.depth, surface.shape == ResourceShape::three ? "planes" : "layers or faces");
  return text;
}
[[noreturn]] void refuse_place(const SurfaceAccess& access, const Surface& surface) {
  refuse_call(call_of(access), FaultKind::illegal_address, "out of bounds",
              fmt::format("{} of {} bytes at {}: the surface has {}, and x counts bytes", access.name, access.bytes,
                          place_in(access, surface), size_of(surface)));
}

/// Where the access is; null if it is outside and has no effect.
std::byte* address_of(const SurfaceAccess& access, const Surface& surface) {
  if (access.x % static_cast<int>(access.bytes) != 0) refuse_alignment(access);
  const Plane& all = surface.elements;
  const std::int64_t last_x = all.pitch - static_cast<std::int64_t>(access.bytes);
  std::int64_t x = access.x;
  std::int64_t y = access.y;
  std::int64_t z = access.z;
  const bool inside = x >= 0 && x <= last_x && y >= 0 && y < all.height && z >= 0 && z < all.depth;
  if (!inside) {
    if (access.mode == cudaBoundaryModeZero) return nullptr;
    if (access.mode != cudaBoundaryModeClamp || last_x < 0) refuse_place(access, surface);
    x = std::clamp<std::int64_t>(x, 0, last_x);
    y = std::clamp<std::int64_t>(y, 0, all.height - 1);
    z = std::clamp<std::int64_t>(z, 0, all.depth - 1);
  }
  return all.at(0, y, z, 0) + x;
}

/// The checked address of an access; null if it has no effect.
std::byte* checked_address(const SurfaceAccess& access, AccessKind kind) {
  const Surface* const surface = surface_of(access.object);
  if (surface == nullptr) refuse_object(access);
  if (!fits(access.shape, *surface)) refuse_shape(access, *surface);
  std::byte* const address = address_of(access, *surface);
  if (address != nullptr) check_access(address, access.bytes, kind, access.caller);
  return address;
}

}  // namespace

void read_surface(const SurfaceAccess& access, void* value) {
  const std::byte* const address = checked_address(access, AccessKind::read);
  if (address == nullptr) {
    std::memset(value, 0, access.bytes);
  } else {
    std::memcpy(value, address, access.bytes);
  }
}

void write_surface(const SurfaceAccess& access, const void* value) {
  std::byte* const address = checked_address(access, AccessKind::write);
  if (address != nullptr) std::memcpy(address, value, access.bytes);
}

}  // namespace d2l::emulator
