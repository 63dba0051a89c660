// SPDX-License-Identifier: MIT
// VectorClock: how far each agent (the host, a stream) had come, as far as some operation knows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace d2l::emulator {

class VectorClock {
 public:
  [[nodiscard]] std::uint64_t of(std::size_t agent) const noexcept { return agent < times_.size() ? times_[agent] : 0; }
  /// Advances one agent by one step; returns its new time.
  std::uint64_t advance(std::size_t agent) {
    if (agent >= times_.size()) times_.resize(agent + 1);
    return ++times_[agent];
  }
  /// From now on all that `other` knows is known here.
  void join(const VectorClock& other) {
    if (other.times_.size() > times_.size()) times_.resize(other.times_.size());
    for (std::size_t i = 0; i < other.times_.size(); ++i) times_[i] = std::max(times_[i], other.times_[i]);
  }

 private:
  std::vector<std::uint64_t> times_;
};

}  // namespace d2l::emulator
