// SPDX-License-Identifier: MIT
// Descriptor: a file descriptor, closed in the end.
#pragma once

#include <unistd.h>

#include <utility>

namespace d2l::detail {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int descriptor) noexcept : descriptor_(descriptor) {}
  Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Descriptor() { close(); }
  /// -1 if there is none.
  [[nodiscard]] int get() const noexcept { return descriptor_; }
  void close() noexcept {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }

 private:
  int descriptor_ = -1;
};

}  // namespace d2l::detail
