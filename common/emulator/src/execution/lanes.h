// SPDX-License-Identifier: MIT
// for_each_lane(): goes through the lanes of a warp that a mask names.
#pragma once

#include <bit>
#include <cstdint>

namespace d2l::emulator {

template <class Action>
void for_each_lane(std::uint32_t lanes, Action action) {
  for (; lanes != 0; lanes &= lanes - 1) action(static_cast<unsigned>(std::countr_zero(lanes)));
}

}  // namespace d2l::emulator
