// SPDX-License-Identifier: MIT
// Arena: the memory of one virtual GPU, mapped twice: at device addresses, which the host cannot access, and at an
// alias, which the device's worker thread uses.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "base/non_copyable.h"

namespace d2l::backend {

/// Host code that accesses a device address causes a fault; the worker thread uses the alias of the address.
class Arena : detail::NonCopyable {
 public:
  /// Reserves `bytes` bytes for a device without touching them; ConfigurationError if that fails.
  Arena(int device, std::size_t bytes);
  ~Arena();

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] bool contains(const void* address) const noexcept { return offset_of(address) < bytes_; }
  /// True if all `bytes` bytes from `address` are in the part of the arena that has ever been allocated.
  [[nodiscard]] bool in_use(const void* address, std::size_t bytes) const noexcept {
    const std::size_t end = used_.load();
    return offset_of(address) < end && bytes <= end - offset_of(address);
  }
  /// Marks the first `end` bytes as in use.
  void use_up_to(std::size_t end);
  [[nodiscard]] void* device_address(std::size_t offset) const noexcept { return device_ + offset; }
  /// The offset of an address; valid only if contains(address).
  [[nodiscard]] std::size_t offset_of(const void* address) const noexcept {
    return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(address) -
                                    reinterpret_cast<std::uintptr_t>(device_));
  }
  /// Between open() and close(), which nest, every thread of the process can use the part of the arena that is in use
  /// at its device addresses: kernels of the user follow pointers that are in device memory. The host faults only while
  /// no such kernel runs, a weaker guarantee than without them.
  void open();
  void close() noexcept;
  /// The address that the worker uses for a device address.
  [[nodiscard]] void* alias(const void* address) const noexcept { return alias_ + offset_of(address); }

 private:
  std::size_t bytes_;
  std::size_t mapped_bytes_;
  std::byte* device_ = nullptr;
  std::byte* alias_ = nullptr;
  std::atomic<std::size_t> used_{0};
  std::mutex opening_;
  int openings_ = 0;
  int slot_ = -1;
};

}  // namespace d2l::backend
