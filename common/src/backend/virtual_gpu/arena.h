// SPDX-License-Identifier: MIT
// Arena: the memory of one virtual GPU, mapped twice: device addresses that the host cannot read, and an alias.
#pragma once

#include <atomic>
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
  /// True when all of `bytes` bytes from `address` are in that part of the arena that was ever used.
  [[nodiscard]] bool in_use(const void* address, std::size_t bytes) const noexcept {
    const std::size_t end = used_.load();
    return offset_of(address) < end && bytes <= end - offset_of(address);
  }
  /// From now on the first `end` bytes are in use, if they were not yet.
  void use_up_to(std::size_t end) noexcept {
    std::size_t before = used_.load();
    while (before < end && !used_.compare_exchange_weak(before, end)) {
    }
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
  std::atomic<std::size_t> used_{0};
  int slot_ = -1;
};

}  // namespace d2l::backend
