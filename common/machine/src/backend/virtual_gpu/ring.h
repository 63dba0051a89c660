// SPDX-License-Identifier: MIT
// Ring: a first-in, first-out queue that reuses its slots, so that it stops allocating once it is large enough.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace d2l::backend {

template <class T>
class Ring {
 public:
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] const T& front() const { return *slots_[first_]; }

  void push(T value) {
    if (size_ == slots_.size()) grow();
    slots_[(first_ + size_) & (slots_.size() - 1)].emplace(std::move(value));
    ++size_;
  }
  T pop() {
    auto& slot = slots_[first_];
    T value = std::move(*slot);
    slot.reset();
    first_ = (first_ + 1) & (slots_.size() - 1);
    --size_;
    return value;
  }

 private:
  void grow() {
    std::vector<std::optional<T>> larger(slots_.empty() ? 16 : slots_.size() * 2);
    for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move(slots_[(first_ + i) & (slots_.size() - 1)]);
    slots_ = std::move(larger);
    first_ = 0;
  }

  std::vector<std::optional<T>> slots_;  // its size is a power of two
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace d2l::backend
