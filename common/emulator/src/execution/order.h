// SPDX-License-Identifier: MIT
// Order: a permutation of 0..n-1 drawn from a seed.
#pragma once

#include <cstdint>
#include <numeric>

namespace d2l::emulator {

inline std::uint64_t mix(std::uint64_t value) noexcept {  // the finaliser of SplitMix64
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

/// i -> (step * i + start) mod n, one after the other; ascending for seed 0.
class Order {
 public:
  Order() = default;
  Order(std::uint64_t count, std::uint64_t seed) noexcept : count_(count), step_(1), next_(0) {
    if (seed == 0 || count < 2) return;
    step_ = 1 + mix(seed) % (count - 1);
    while (std::gcd(step_, count) != 1) step_ = step_ % (count - 1) + 1;
    next_ = mix(seed + 1) % count;
  }
  /// In one direction, so that the processor's prefetcher follows.
  static Order straight(std::uint64_t count, bool down) noexcept {
    Order order(count, 0);
    if (!down || count < 2) return order;
    order.step_ = order.next_ = count - 1;
    return order;
  }
  [[nodiscard]] std::uint64_t step() const noexcept { return step_; }
  std::uint64_t next() noexcept {
    const std::uint64_t value = next_;
    next_ = next_ >= count_ - step_ ? next_ - (count_ - step_) : next_ + step_;
    return value;
  }

 private:
  std::uint64_t count_ = 1;
  std::uint64_t step_ = 1;
  std::uint64_t next_ = 0;
};

}  // namespace d2l::emulator
