// SPDX-License-Identifier: MIT
#include "calls/constant_memory.h"

#include <fmt/format.h>

namespace d2l::emulator {
namespace {

struct Constants {
  std::size_t bytes = 0;
  std::size_t largest = 0;
  const char* name_of_largest = "";
};
/// Only used before main() and when the process ends.
Constants& constants() {
  static auto* const made = new Constants;
  return *made;
}

}  // namespace

void note_constant_variable(const char* name, std::size_t bytes) {
  Constants& known = constants();
  known.bytes += bytes;
  if (bytes <= known.largest) return;
  known.largest = bytes;
  known.name_of_largest = name;
}

std::string too_much_constant_memory() {
  constexpr std::size_t most = std::size_t{64} * 1024;
  const Constants& known = constants();
  if (known.bytes <= most) return "";
  return fmt::format(
      "too much constant memory: the variables with __constant__ have {} bytes, and a card has {}. The "
      "largest is {}, with {} bytes: use memory from cudaMalloc for it\n",
      known.bytes, most, known.name_of_largest, known.largest);
}

}  // namespace d2l::emulator
