// SPDX-License-Identifier: MIT
// Numbers of 32 bits for addresses of shared memory, as PTX has them.
#include <array>
#include <cstddef>

#include "d2l_emulator/ptx.h"

namespace d2l::emulator::ptx {
namespace {

// A number is that of a window, above the distance from the window's begin. Windows begin at multiples of half their
// size, so that numbers near that of an array can be computed from it.
constexpr unsigned window_bits = 24;
constexpr std::uint64_t step = std::uint64_t{1} << (window_bits - 1);
thread_local std::array<std::uint64_t, 255> windows{};

}  // namespace

std::uint64_t to_shared(const void* address) {
  const auto value = reinterpret_cast<std::uint64_t>(address);
  const std::uint64_t begin = value & ~(step - 1);
  for (std::size_t i = 0; i < windows.size(); ++i) {
    if (windows[i] == 0) windows[i] = begin;
    if (windows[i] == begin) return (static_cast<std::uint64_t>(i + 1) << window_bits) | (value - begin);
  }
  windows[0] = begin;  // of a kernel that has ended
  return (std::uint64_t{1} << window_bits) | (value - begin);
}

void* from_shared(std::uint64_t number) {
  const std::uint64_t window = (number >> window_bits) & 0xff;
  const std::uint64_t begin = window == 0 ? 0 : windows[window - 1];
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address
  return reinterpret_cast<void*>(begin + (number & ((std::uint64_t{1} << window_bits) - 1)));
}

}  // namespace d2l::emulator::ptx
