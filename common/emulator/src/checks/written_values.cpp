// SPDX-License-Identifier: MIT
// WrittenValues.
#include <fmt/format.h>

#include <cstdint>
#include <cstring>

#include "checks/race.h"

namespace d2l::emulator {
namespace {

template <class T>
T value_as(const unsigned char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace

void WrittenValues::watch(const void* thread, const void* address, std::size_t bytes, const void* place) {
  Found& found = places_[place];
  if (bytes > most) found.differs = true;  // not compared
  if (found.differs) return;
  thread_ = thread;
  address_ = address;
  bytes_ = bytes;
  place_ = place;
  std::memcpy(before_.data(), address, bytes);
}

void WrittenValues::compare(bool written) {
  Found& found = places_[place_];
  const std::size_t bytes = bytes_;
  bytes_ = 0;
  found.differs |= !written || std::memcmp(before_.data(), address_, bytes) != 0;
  if (found.differs) return;
  const bool other = found.bytes != bytes || std::memcmp(found.value.data(), before_.data(), bytes) != 0;
  found.several |= found.compared && other;
  found.compared = true;
  found.bytes = bytes;
  found.value = before_;
}

std::string WrittenValues::text_of(const Found& found) {
  if (found.several) return "";
  const unsigned char* const value = found.value.data();
  switch (found.bytes) {
    case 1:
      return fmt::format(", {}", value_as<std::uint8_t>(value));
    case 2:
      return fmt::format(", {:#06x}", value_as<std::uint16_t>(value));
    case 4:
      return fmt::format(", {:#010x} ({} as an int, {} as a float)", value_as<std::uint32_t>(value),
                         value_as<std::int32_t>(value), value_as<float>(value));
    case 8:
      return fmt::format(", {:#018x} ({} as a double)", value_as<std::uint64_t>(value), value_as<double>(value));
    default:
      return "";
  }
}

void WrittenValues::clear() {
  places_.clear();
  bytes_ = 0;
}

}  // namespace d2l::emulator
