// SPDX-License-Identifier: MIT
#include "textures/addressing.h"

#include <algorithm>
#include <cmath>

namespace d2l::emulator {
namespace {

/// Wrap and mirror are for normalized coordinates only; others are clamped.
cudaTextureAddressMode mode_of(const Addressing& addressing) {
  const bool periodic = addressing.mode == cudaAddressModeWrap || addressing.mode == cudaAddressModeMirror;
  return periodic && !addressing.normalized ? cudaAddressModeClamp : addressing.mode;
}

/// The coordinate in elements, within bounds that an integer can have.
double in_elements(float coordinate, std::int64_t length, const Addressing& addressing) {
  double value = static_cast<double>(coordinate);
  if (std::isnan(value)) value = 0;
  if (addressing.normalized) {
    constexpr double period = 2;  // of both periodic modes
    if (mode_of(addressing) == cudaAddressModeWrap || mode_of(addressing) == cudaAddressModeMirror)
      value = std::isinf(value) ? 0 : value - period * std::floor(value / period);
    value *= static_cast<double>(length);
  }
  constexpr double bound = 1 << 30;
  return std::clamp(value, -bound, bound);
}

}  // namespace

std::int64_t addressed(std::int64_t place, std::int64_t length, const Addressing& addressing) {
  if (place >= 0 && place < length) return place;
  const auto within = [place](std::int64_t period) { return (place % period + period) % period; };
  switch (mode_of(addressing)) {
    case cudaAddressModeWrap:
      return within(length);
    case cudaAddressModeMirror:
      return within(2 * length) < length ? within(2 * length) : 2 * length - 1 - within(2 * length);
    case cudaAddressModeBorder:
      return Elements::border;
    default:
      return place < 0 ? 0 : length - 1;
  }
}

Elements nearest_element(float coordinate, std::int64_t length, const Addressing& addressing) {
  const auto place = static_cast<std::int64_t>(std::floor(in_elements(coordinate, length, addressing)));
  return {{addressed(place, length, addressing), 0}, {1, 0}};
}

Elements filtered_elements(float coordinate, std::int64_t length, const Addressing& addressing) {
  constexpr std::int64_t steps = 256;  // the weights have 8 bits after the point
  const double place = in_elements(coordinate, length, addressing) - 0.5;
  const auto fixed = static_cast<std::int64_t>(std::floor(place * steps + 0.5));
  const std::int64_t first = fixed >> 8;
  const float weight = static_cast<float>(fixed - first * steps) / static_cast<float>(steps);
  return {{addressed(first, length, addressing), addressed(first + 1, length, addressing)}, {1 - weight, weight}};
}

}  // namespace d2l::emulator
