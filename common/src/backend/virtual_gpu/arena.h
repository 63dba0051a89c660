// SPDX-License-Identifier: MIT
// Arena: the memory of one virtual GPU, mapped twice: device addresses that the host cannot read, and an alias.
#pragma once

#include <cstddef>
#include <cstdint>

namespace d2l::backend {

/// Pages of one device. A device address faults when the host reads it; the device's worker reads it by its alias.
class Arena {
 public:
  /// Reserves `bytes` for device number `device`, without touching them; ConfigurationError when it cannot.
  Arena(int device, std::size_t bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool contains(const void* address) const noexcept { return offset_of(address) < bytes_; }
  /// True when all of `bytes` bytes from `address` are in the arena.
  [[nodiscard]] bool contains(const void* address, std::size_t bytes) const noexcept {
    return contains(address) && bytes <= bytes_ - offset_of(address);
  }
  [[nodiscard]] void* device_address(std::size_t offset) const noexcept { return device_ + offset; }
  /// The distance of an address from the beginning; meaningless unless contains(address).
  [[nodiscard]] std::size_t offset_of(const void* address) const noexcept {
    return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(address) -
                                    reinterpret_cast<std::uintptr_t>(device_));
  }
  /// Where the worker finds what is at a device address.
  [[nodiscard]] void* alias(const void* address) const noexcept { return alias_ + offset_of(address); }

 private:
  std::size_t bytes_;
  std::size_t mapped_bytes_;
  std::byte* device_ = nullptr;
  std::byte* alias_ = nullptr;
  int slot_ = -1;
};

}  // namespace d2l::backend
